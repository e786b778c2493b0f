/**
 * Words that the application writes into an export, by language of the phone: longer than other files because each
 * language is one entry. There is no specification: they come from reports and from the application's own texts, and
 * only help where the form of a line and the files beside it do not decide. Alternatives stand between `|`.
 */
export interface Language {
  /** What can be left out of an export: `image`, `media` … */
  readonly media: string;
  /** That it was left out: `omitted`. Stands after or before the word above. */
  readonly left: string;
  /** Whole phrases for the same that are not made of the two. */
  readonly omitted?: string;
  /** Whole messages where a message was deleted. */
  readonly deleted: string;
  /** What stands in `<…>` behind an edited message. */
  readonly edited: string;
  /** What stands in brackets behind the name of a file. */
  readonly attached: string;
  readonly poll: string;
  readonly option: string;
  /** A shared place. */
  readonly place: string;
  readonly call: string;
  readonly missed: string;
  /** Beginnings of words for what is done in chats, in notices; the word for a group first. */
  readonly group: string;
}

export const languages: Readonly<Record<string, Language>> = {
  en: {
    media:
      "media|image|photo|video|audio|gif|sticker|document|contact card|video note|voice message|view once media|view once photo|view once video|view once voice message",
    left: "omitted",
    omitted:
      "<media omitted by export>|null|<view once voice message omitted>|you received a view once message. for added privacy, you can only open it on your phone|you received a view once photo. for added privacy, you can only open it on your phone|waiting for this message. this may take a while",
    deleted:
      "this message was deleted|you deleted this message|this message was deleted by admin|this message was deleted by an admin|you deleted this message as admin",
    edited: "this message was edited",
    attached: "file attached",
    poll: "poll",
    option: "option",
    place: "location|live location",
    call: "voice call|video call|group call|audio call",
    missed: "missed",
    group: "group|created|changed|added|removed|left|joined|community|channel|admin|security code|disappearing|pinned",
  },
  de: {
    media:
      "medien|bild|foto|video|audio|gif|sticker|dokument|kontaktkarte|videonachricht|sprachnachricht|einmalansicht-foto|einmalansicht-video",
    left: "ausgeschlossen|weggelassen",
    omitted: "du hast eine einmalansicht-nachricht erhalten",
    deleted:
      "diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|diese nachricht wurde von einem admin gelöscht|sie haben diese nachricht gelöscht",
    edited: "diese nachricht wurde bearbeitet",
    attached: "datei angehängt",
    poll: "umfrage",
    option: "option",
    place: "standort|live-standort",
    call: "sprachanruf|videoanruf|gruppenanruf",
    missed: "verpasst",
    group:
      "gruppe|erstellt|geändert|hinzugefügt|entfernt|verlassen|beigetreten|community|admin|sicherheitsnummer|hat die|hat den|hat das",
  },
  fr: {
    media: "médias|image|photo|vidéo|audio|gif|sticker|autocollant|document|fiche contact|message vidéo|message vocal",
    left: "omis|omise|omises|absent|absente|non inclus|non incluse",
    deleted:
      "ce message a été supprimé|vous avez supprimé ce message|ce message a été effacé|ce message a été supprimé par un admin",
    edited: "ce message a été modifié",
    attached: "fichier joint",
    poll: "sondage",
    option: "option",
    place: "localisation|position|lieu",
    call: "appel vocal|appel vidéo|appel de groupe",
    missed: "manqué",
    group: "groupe|a créé|avez créé|a changé|a ajouté|a retiré|est parti|a rejoint|communauté|admin|code de sécurité",
  },
  es: {
    media:
      "multimedia|archivo|imagen|foto|video|vídeo|audio|gif|sticker|documento|tarjeta de contacto|nota de video|nota de voz|mensaje de voz",
    left: "omitido|omitida|omitidos",
    deleted:
      "se eliminó este mensaje|este mensaje fue eliminado|este mensaje ha sido eliminado|eliminaste este mensaje|has eliminado este mensaje|se eliminó este mensaje porque lo hizo un admin",
    edited: "se editó este mensaje|este mensaje fue editado|se editó este mensaje.",
    attached: "archivo adjunto",
    poll: "encuesta",
    option: "opción",
    place: "ubicación|ubicación en tiempo real",
    call: "llamada|videollamada",
    missed: "perdida",
    group: "grupo|creó|cambió|añadió|agregó|eliminó|salió|se unió|comunidad|admin|código de seguridad",
  },
  pt: {
    media:
      "mídia|media|imagem|foto|vídeo|áudio|gif|figurinha|sticker|autocolante|documento|cartão do contato|cartão de contacto|mensagem de voz",
    left: "oculta|oculto|omitida|omitido|ocultada|ocultado|não revelado|não revelada|não incluído|não incluída",
    omitted: "<ficheiro não revelado>|<arquivo de mídia oculto>",
    deleted:
      "mensagem apagada|esta mensagem foi apagada|esta mensagem foi eliminada|você apagou esta mensagem|apagou esta mensagem|eliminou esta mensagem|essa mensagem foi apagada|esta mensagem foi apagada por um admin",
    edited: "mensagem editada|esta mensagem foi editada",
    attached: "arquivo anexado|ficheiro anexado",
    poll: "enquete|sondagem|inquérito",
    option: "opção",
    place: "localização|local",
    call: "chamada|ligação",
    missed: "perdida",
    group: "grupo|criou|mudou|adicionou|removeu|saiu|entrou|comunidade|admin|código de segurança",
  },
  it: {
    media: "media|immagine|foto|video|audio|gif|sticker|documento|scheda contatto|videomessaggio|messaggio vocale",
    left: "omessi|omesso|omessa|esclusi|esclusa|escluso|non incluso|non inclusa|non inclusi",
    deleted:
      "questo messaggio è stato eliminato|hai eliminato questo messaggio|questo messaggio è stato eliminato da un amministratore",
    edited: "questo messaggio è stato modificato",
    attached: "file allegato",
    poll: "sondaggio",
    option: "opzione",
    place: "posizione",
    call: "chiamata|videochiamata",
    missed: "persa",
    group:
      "gruppo|ha creato|ha cambiato|ha aggiunto|ha rimosso|è uscito|è entrato|community|amministratore|codice di sicurezza",
  },
  nl: {
    media: "media|afbeelding|foto|video|audio|gif|sticker|document|contactkaart|videobericht|spraakbericht",
    left: "weggelaten",
    deleted:
      "dit bericht is verwijderd|je hebt dit bericht verwijderd|u hebt dit bericht verwijderd|dit bericht is verwijderd door een beheerder",
    edited: "dit bericht is bewerkt|bericht bewerkt",
    attached: "bestand bijgevoegd",
    poll: "peiling|poll",
    option: "optie",
    place: "locatie",
    call: "spraakoproep|video-oproep|videogesprek|oproep",
    missed: "gemist",
    group: "groep|heeft|hebt|gewijzigd|toegevoegd|verwijderd|verlaten|community|beheerder|beveiligingscode",
  },
  pl: {
    media:
      "multimedia|obraz|obrazek|zdjęcie|film|wideo|dźwięk|audio|gif|naklejkę|naklejka|dokument|wizytówkę|kartę kontaktu|wiadomość wideo",
    left: "pominięto|pominięte|pominięty|pominięta",
    deleted:
      "ta wiadomość została usunięta|usunięto tę wiadomość|wiadomość została usunięta|ta wiadomość została skasowana|usunąłeś tę wiadomość|usunęłaś tę wiadomość",
    edited: "wiadomość edytowana|ta wiadomość została edytowana|edytowano tę wiadomość",
    attached: "plik dołączony|plik załączony|załączony plik|załączono plik",
    poll: "ankieta",
    option: "opcja",
    place: "lokalizacja",
    call: "połączenie|rozmowa",
    missed: "nieodebran",
    group: "grup|utworzył|zmienił|dodał|usunął|opuścił|dołączył|społecznoś|administrator|kod zabezpieczeń",
  },
  ru: {
    media:
      "изображение|фото|видео|аудио|аудиофайл|gif|стикер|документ|карточка контакта|медиафайл|файл|видеосообщение|голосовое сообщение",
    left: "отсутствует|опущено|опущен|опущена|пропущен|пропущено|не включено",
    omitted: "<без медиафайлов>",
    deleted:
      "данное сообщение удалено|сообщение удалено|это сообщение удалено|вы удалили данное сообщение|вы удалили это сообщение|данное сообщение удалено админом",
    edited: "данное сообщение изменено|сообщение изменено|это сообщение изменено",
    attached: "файл добавлен|файл прикреплен|файл прикреплён",
    poll: "опрос",
    option: "вариант",
    place: "местоположение|геопозиция|локация",
    call: "звонок|аудиозвонок|видеозвонок",
    missed: "пропущен",
    group: "групп|создал|изменил|добавил|удалил|покинул|присоединил|сообществ|админ|код безопасности",
  },
  uk: {
    media: "зображення|фото|відео|аудіо|gif|наліпку|наліпка|стікер|документ|картку контакту|медіафайл|файл|медіафайли",
    left: "пропущено|вилучено|відсутнє|не додано|опущено",
    omitted: "<без медіафайлів>",
    deleted: "це повідомлення було видалено|це повідомлення видалено|ви видалили це повідомлення|повідомлення видалено",
    edited: "це повідомлення було змінено|це повідомлення змінено|повідомлення змінено|це повідомлення відредаговано",
    attached: "файл додано|файл прикріплено",
    poll: "опитування",
    option: "варіант",
    place: "місцезнаходження|розташування|геолокація",
    call: "дзвінок|аудіодзвінок|відеодзвінок",
    missed: "пропущен",
    group: "груп|створи|змінив|змінила|додав|додала|вилучи|видали|покину|приєдна|спільнот|адмін",
  },
  tr: {
    media: "medya|görüntü|fotoğraf|resim|video|ses|gif|çıkartma|belge|kişi kartı|görüntülü not|sesli mesaj",
    left: "dahil edilmedi|atlanmış|atlandı|çıkarıldı",
    deleted: "bu mesaj silindi|bu mesajı sildiniz|bu mesaj bir yönetici tarafından silindi",
    edited: "bu mesaj düzenlendi",
    attached: "dosya ekli|dosya ektedir|dosya eklendi",
    poll: "anket",
    option: "seçenek",
    place: "konum",
    call: "sesli arama|görüntülü arama|arama",
    missed: "cevapsız",
    group: "grup|grub|oluşturdu|değiştirdi|ekledi|çıkardı|ayrıldı|katıldı|topluluk|yönetici|güvenlik kodu",
  },
  ar: {
    media:
      "الوسائط|وسائط|صورة|الصورة|فيديو|مقطع فيديو|مقطع صوتي|الصوت|صوت|ملف صوتي|gif|ملصق|الملصق|مستند|المستند|بطاقة جهة اتصال",
    left: "تم استبعاد|محذوفة|غير مدرجة|غير مدرج|تم استبعاده|تم استبعادها|تم حذف|تم إغفال|مستبعدة|مستبعد",
    deleted:
      "تم حذف هذه الرسالة|لقد حذفت هذه الرسالة|حذفتَ هذه الرسالة|حذفت هذه الرسالة|لقد حذفتَ هذه الرسالة|قمت بحذف هذه الرسالة",
    edited: "تم تعديل هذه الرسالة|تم تعديل الرسالة",
    attached: "ملف مرفق|الملف مرفق|تم إرفاق ملف",
    poll: "استطلاع|استطلاع رأي|استطلاع الرأي",
    option: "خيار|الخيار",
    place: "الموقع|موقع",
    call: "مكالمة|اتصال",
    missed: "فائتة|لم يرد عليها|لم يُرد عليها",
    group: "مجموعة|المجموعة|أنشأ|غيّر|غير|أضاف|أزال|غادر|انضم|مشرف|رمز الأمان|المجتمع",
  },
  fa: {
    media: "رسانه|تصویر|عکس|ویدیو|صدا|گیف|استیکر|سند|کارت مخاطب",
    left: "حذف شد|حذف شده|گنجانده نشد|گنجانده نشده است",
    deleted: "این پیام حذف شد|این پیام حذف شده است|شما این پیام را حذف کردید|پیام حذف شد",
    edited: "این پیام ویرایش شد|این پیام ویرایش شده است",
    attached: "فایل پیوست شد|فایل پیوست شده|فایل پیوست",
    poll: "نظرسنجی",
    option: "گزینه",
    place: "موقعیت مکانی|مکان|موقعیت",
    call: "تماس",
    missed: "بی‌پاسخ|از دست رفته|بی پاسخ",
    group: "گروه|ایجاد کرد|تغییر داد|اضافه کرد|حذف کرد|ترک کرد|پیوست|مدیر|کد امنیتی",
  },
  he: {
    media:
      "תוכן המדיה|תוכן מדיה|המדיה|מדיה|תמונה|התמונה|סרטון|הסרטון|וידאו|שמע|אודיו|gif|מדבקה|המדבקה|סטיקר|מסמך|המסמך|כרטיס איש קשר",
    left: "הושמט|הושמטה|לא נכללה|לא נכלל|הושמטו",
    deleted: "הודעה זו נמחקה|מחקת הודעה זו|ההודעה נמחקה|הודעה זו נמחקה על ידי מנהל",
    edited: "הודעה זו נערכה|ההודעה נערכה",
    attached: "הקובץ מצורף|קובץ מצורף|הקובץ צורף",
    poll: "סקר",
    option: "אפשרות",
    place: "מיקום|המיקום",
    call: "שיחה קולית|שיחת וידאו|שיחת",
    missed: "שלא נענתה|לא נענתה",
    group: "קבוצ|הקבוצה|יצר|שינה|שינתה|הוסיף|הוסיפה|הסיר|עזב|הצטרף|מנהל|קוד האבטחה|קהילה",
  },
  hi: {
    media: "मीडिया|तस्वीर|फ़ोटो|फोटो|इमेज|वीडियो|ऑडियो|gif|स्टिकर|दस्तावेज़|दस्तावेज|डॉक्यूमेंट|संपर्क कार्ड",
    left: "छोड़ा गया|छोड़ी गई|छोड़ दिया गया|छोड़ दी गई|शामिल नहीं किया गया|शामिल नहीं की गई|हटाया गया",
    omitted: "<मीडिया के बिना>",
    deleted:
      "यह मैसेज मिटाया गया|यह संदेश हटा दिया गया|यह मैसेज डिलीट किया गया|आपने यह मैसेज मिटाया|आपने यह मैसेज डिलीट किया|आपने यह संदेश हटा दिया|यह मैसेज मिटा दिया गया",
    edited: "यह मैसेज एडिट किया गया|इस मैसेज को एडिट किया गया|यह मैसेज एडिट किया गया था",
    attached: "फ़ाइल संलग्न|फ़ाइल अटैच की गई|फ़ाइल अटैच है|फाइल संलग्न",
    poll: "पोल|मतदान|पोल बनाएं",
    option: "विकल्प|ऑप्शन",
    place: "स्थान|लोकेशन|जगह",
    call: "वॉइस कॉल|वीडियो कॉल|कॉल",
    missed: "मिस्ड|छूटी",
    group: "ग्रुप|समूह|बनाया|बदला|बदली|जोड़ा|हटाया|छोड़ा|शामिल हुए|एडमिन|सुरक्षा कोड",
  },
  ja: {
    media: "メディア|画像|写真|動画|ビデオ|音声|オーディオ|gif|スタンプ|ステッカー|ドキュメント|文書|連絡先カード",
    left: "なし|は含まれていません|は含まれません|が含まれていません|を省略|省略|が省略されました|は省略されました|除外",
    deleted:
      "このメッセージは削除されました|あなたはこのメッセージを削除しました|メッセージを削除しました|このメッセージを削除しました|このメッセージは消去されました",
    edited: "このメッセージは編集されました|編集済み|メッセージが編集されました",
    attached: "添付ファイル|ファイル添付|ファイルが添付されました|ファイルが添付されています",
    poll: "投票|アンケート",
    option: "オプション|選択肢",
    place: "位置情報|位置|現在地",
    call: "音声通話|ビデオ通話|通話",
    missed: "不在着信|応答なし",
    group:
      "グループ|作成しました|変更しました|追加しました|削除しました|退出しました|参加しました|管理者|セキュリティコード|コミュニティ",
  },
  zh: {
    media:
      "媒体|媒体文件|多媒体文件|多媒體檔案|媒體|图片|圖片|图像|圖像|照片|视频|視訊|影片|音频|音訊|gif|贴图|貼圖|动态贴图|文档|文件|檔案|联系人名片|聯絡人名片",
    left: "已忽略|已省略|省略|忽略|已略过|已略過",
    omitted: "<省略多媒体文件>|<省略多媒體檔案>|<媒体文件已忽略>",
    deleted:
      "此消息已删除|此消息已被删除|您已删除此消息|你已删除此消息|您删除了此消息|你删除了此消息|此訊息已刪除|您已刪除此訊息|你已刪除此訊息|此訊息已被刪除|这条消息已被删除|這則訊息已刪除",
    edited: "此消息已编辑|此消息已被编辑|此訊息已編輯|此訊息已被編輯|这条消息已编辑",
    attached: "文件附件|檔案附件|附件|附加文件|附加檔案",
    poll: "投票|投票活动|民意調查",
    option: "选项|選項",
    place: "位置|地点|地點",
    call: "语音通话|視訊通話|视频通话|語音通話|通话|通話",
    missed: "未接|未接听",
    group:
      "群组|群組|群|创建|建立|更改|变更|變更|添加|新增|移除|离开|離開|退出|加入|管理员|管理員|安全码|安全碼|社群|社区",
  },
  ko: {
    media: "미디어|미디어 파일|사진|이미지|그림|동영상|비디오|오디오|음성|gif|스티커|문서|연락처 카드|영상 메시지",
    left: "생략됨|생략|제외됨|제외|포함되지 않음|누락됨",
    omitted: "<미디어 파일을 제외한 내용>|<미디어 파일 제외>",
    deleted:
      "삭제된 메시지입니다|이 메시지는 삭제되었습니다|이 메시지를 삭제했습니다|메시지를 삭제했습니다|이 메시지가 삭제되었습니다|나에게서 삭제된 메시지입니다",
    edited: "이 메시지는 수정되었습니다|이 메시지가 수정되었습니다|수정된 메시지입니다|메시지가 편집되었습니다",
    attached: "파일 첨부됨|파일 첨부|첨부 파일|파일이 첨부됨",
    poll: "투표|설문조사",
    option: "옵션|선택 사항|선택지",
    place: "위치",
    call: "음성 통화|영상 통화|전화|통화",
    missed: "부재중",
    group:
      "그룹|만들었습니다|변경했습니다|추가했습니다|삭제했습니다|나갔습니다|참여했습니다|초대|관리자|보안 코드|커뮤니티",
  },
  id: {
    media: "media|gambar|foto|video|audio|gif|stiker|dokumen|kartu kontak|pesan video|pesan suara",
    left: "tidak disertakan|tak disertakan|dihilangkan",
    deleted:
      "pesan ini telah dihapus|anda telah menghapus pesan ini|anda menghapus pesan ini|pesan ini dihapus|pesan ini dihapus oleh admin",
    edited: "pesan ini diedit|pesan ini telah diedit",
    attached: "file terlampir|berkas terlampir|lampiran file",
    poll: "polling|jajak pendapat",
    option: "opsi|pilihan",
    place: "lokasi",
    call: "panggilan suara|panggilan video|panggilan",
    missed: "tak terjawab|tidak terjawab",
    group: "grup|membuat|mengubah|menambahkan|mengeluarkan|keluar|bergabung|komunitas|admin|kode keamanan",
  },
  sv: {
    media:
      "media|bild|bilden|foto|video|videon|ljud|ljudet|gif|klistermärke|sticker|dokument|dokumentet|kontaktkort|videomeddelande",
    left: "utelämnat|utelämnad|utelämnade|har utelämnats|utesluten|uteslutet|utelämnats",
    omitted: "<utan media>|<mediefil utelämnad>",
    deleted:
      "det här meddelandet raderades|du raderade det här meddelandet|detta meddelande raderades|du raderade detta meddelande|det här meddelandet togs bort|du tog bort det här meddelandet|det här meddelandet har raderats",
    edited: "det här meddelandet redigerades|detta meddelande redigerades|det här meddelandet har redigerats",
    attached: "bifogad fil|fil bifogad|fil bifogades",
    poll: "omröstning",
    option: "alternativ",
    place: "plats",
    call: "röstsamtal|videosamtal|samtal",
    missed: "missat",
    group: "grupp|skapade|ändrade|lade till|tog bort|lämnade|gick med|gemenskap|administratör|säkerhetskod",
  },
  no: {
    media:
      "media|medier|mediefil|bilde|bildet|foto|video|videoen|lyd|lydfil|gif|klistremerke|dokument|dokumentet|kontaktkort|videomelding",
    left: "utelatt|er utelatt|ble utelatt|ikke inkludert",
    omitted: "<uten vedlegg>|<uten medier>",
    deleted: "denne meldingen ble slettet|du slettet denne meldingen|meldingen ble slettet|denne meldingen er slettet",
    edited: "denne meldingen ble redigert|denne meldingen er redigert|meldingen ble redigert",
    attached: "vedlagt fil|fil vedlagt|fil lagt ved",
    poll: "avstemning|spørreundersøkelse",
    option: "alternativ|valg",
    place: "plassering|posisjon|sted",
    call: "taleanrop|lydanrop|videoanrop|anrop",
    missed: "tapt|ubesvart",
    group: "gruppe|opprettet|endret|la til|fjernet|forlot|ble med|fellesskap|administrator|sikkerhetskode",
  },
  da: {
    media:
      "medier|media|mediefil|billede|billedet|foto|video|videoen|lyd|gif|klistermærke|dokument|dokumentet|kontaktkort|videobesked",
    left: "udeladt|er udeladt|blev udeladt|ikke inkluderet|undladt",
    omitted: "<uden medier>",
    deleted:
      "denne besked blev slettet|du slettede denne besked|beskeden blev slettet|denne besked er slettet|denne meddelelse blev slettet",
    edited: "denne besked blev redigeret|denne besked er redigeret|beskeden blev redigeret",
    attached: "fil vedhæftet|vedhæftet fil",
    poll: "afstemning",
    option: "mulighed|svarmulighed",
    place: "placering|lokation",
    call: "taleopkald|videoopkald|opkald",
    missed: "ubesvaret|mistet",
    group: "gruppe|oprettede|ændrede|tilføjede|fjernede|forlod|deltager|fællesskab|administrator|sikkerhedskode",
  },
  fi: {
    media:
      "media|mediatiedosto|kuva|valokuva|video|ääni|äänitiedosto|gif|tarra|asiakirja|dokumentti|yhteystietokortti|videoviesti",
    left: "jätettiin pois|jätetty pois|puuttuu|poistettu|ohitettu",
    deleted: "tämä viesti poistettiin|poistit tämän viestin|tämä viesti on poistettu|viesti poistettiin",
    edited: "tätä viestiä muokattiin|tätä viestiä on muokattu|viestiä muokattiin",
    attached: "tiedosto liitetty|liitetty tiedosto|tiedosto on liitetty",
    poll: "kysely|äänestys",
    option: "vaihtoehto",
    place: "sijainti",
    call: "äänipuhelu|videopuhelu|puhelu",
    missed: "vastaamaton|vastaamatta",
    group: "ryhmä|loi|vaihtoi|muutti|lisäsi|poisti|poistui|liittyi|yhteisö|ylläpitäjä|turvakoodi",
  },
  cs: {
    media:
      "média|médium|obrázek|fotka|fotografie|video|zvuk|audio|gif|nálepka|dokument|vizitka|kontaktní karta|videozpráva",
    left: "vynechána|vynechán|vynecháno|vynechány|vynechané|bylo vynecháno|nezahrnuto",
    deleted:
      "tato zpráva byla odstraněna|tato zpráva byla smazána|tuto zprávu jste odstranili|smazali jste tuto zprávu|zpráva byla odstraněna|odstranili jste tuto zprávu",
    edited: "tato zpráva byla upravena|zpráva byla upravena",
    attached: "soubor přiložen|přiložený soubor|soubor byl přiložen",
    poll: "anketa|hlasování",
    option: "možnost",
    place: "poloha|umístění",
    call: "hlasový hovor|videohovor|hovor",
    missed: "zmeškan",
    group: "skupin|vytvořil|změnil|přidal|odebral|opustil|připojil|komunit|správc|bezpečnostní kód",
  },
  hu: {
    media: "média|kép|fénykép|videó|hang|gif|matrica|dokumentum|névjegykártya",
    left: "kihagyva|elhagyva",
    omitted: "<hiányzó médiafájl>",
    deleted: "ezt az üzenetet törölték|ez az üzenet törölve lett|törölted ezt az üzenetet",
    edited: "ezt az üzenetet szerkesztették|szerkesztett üzenet",
    attached: "fájl csatolva|csatolt fájl",
    poll: "szavazás|anket",
    option: "opció|lehetőség",
    place: "hely|tartózkodási hely",
    call: "hanghívás|videóhívás|hívás",
    missed: "nem fogadott",
    group: "csoport|létrehozta|megváltoztatta|hozzáadta|eltávolította|kilépett|csatlakozott",
  },
  ro: {
    media: "fișier media|fișierele media|media|imagine|fotografie|video|audio|gif|sticker|document|carte de vizită",
    left: "omis|omisă|omise",
    deleted: "acest mesaj a fost șters|ați șters acest mesaj|ai șters acest mesaj",
    edited: "acest mesaj a fost editat",
    attached: "fișier atașat",
    poll: "sondaj",
    option: "opțiune",
    place: "locație",
    call: "apel vocal|apel video",
    missed: "pierdut|ratat",
    group: "grup|a creat|a schimbat|a adăugat|a eliminat|a ieșit|s-a alăturat",
  },
  el: {
    media: "τα πολυμέσα|πολυμέσα|εικόνα|φωτογραφία|βίντεο|ήχος|gif|αυτοκόλλητο|έγγραφο|κάρτα επαφής",
    left: "παραλήφθηκαν|παραλείφθηκαν|παραλείφθηκε|παραλήφθηκε",
    deleted: "αυτό το μήνυμα διαγράφηκε|διαγράψατε αυτό το μήνυμα",
    edited: "αυτό το μήνυμα υποβλήθηκε σε επεξεργασία|επεξεργασμένο μήνυμα",
    attached: "συνημμένο αρχείο|επισυνάφθηκε αρχείο",
    poll: "δημοσκόπηση|ψηφοφορία",
    option: "επιλογή",
    place: "τοποθεσία",
    call: "φωνητική κλήση|βιντεοκλήση",
    missed: "αναπάντητη",
    group: "ομάδα|δημιούργησε|άλλαξε|πρόσθεσε|αφαίρεσε|αποχώρησε",
  },
  vi: {
    media: "tệp phương tiện|hình ảnh|ảnh|video|âm thanh|gif|nhãn dán|tài liệu|thẻ liên hệ",
    left: "không bao gồm|bị bỏ qua|đã bị bỏ qua",
    deleted: "tin nhắn này đã bị xóa|bạn đã xóa tin nhắn này",
    edited: "tin nhắn này đã được chỉnh sửa",
    attached: "tệp đính kèm|đã đính kèm tệp",
    poll: "bình chọn|cuộc thăm dò ý kiến",
    option: "lựa chọn|tùy chọn",
    place: "vị trí",
    call: "cuộc gọi thoại|cuộc gọi video",
    missed: "nhỡ",
    group: "nhóm|đã tạo|đã thay đổi|đã thêm|đã xóa|đã rời",
  },
};
