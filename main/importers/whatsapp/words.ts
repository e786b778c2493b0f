/**
 * Words that the application writes into an export, by language of the phone. There is no specification: the lists come
 * from reports, and only help where the text and the files beside it do not decide.
 */

const phrases = (text: string) => new Set(text.split("|").map(phraseKey));

/** How phrases are compared: lower case, no marks, no full stop, plain apostrophes. */
export function phraseKey(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[\u00a0\u202f]/g, " ")
    .replace(/[.。]$/, "")
    .trim();
}

/** Whole messages for media that was left out of the export. */
export const omittedMedia = phrases(
  "<media omitted>|<medien ausgeschlossen>|<medien weggelassen>|<multimedia omitido>|<archivo omitido>|<médias omis>|<media omessi>|<media esclusi>|<mídia oculta>|<mídia omitida>|<ficheiro não revelado>|<media weggelaten>|<media omitted by export>|<media utelämnat>|<media utelämnad>|<medier udeladt>|<media er utelatt>|<uten vedlegg>|<utan media>|<media jätettiin pois>|<pominięto multimedia>|<pominięte multimedia>|<без медиафайлов>|<файл пропущен>|<медиафайл пропущен>|<без медіафайлів>|<média vynechána>|<médium bylo vynecháno>|<médiá vynechané>|<hiányzó médiafájl>|<média kihagyva>|<fișier media omis>|<medya dahil edilmedi>|<medya atlanmış>|<τα πολυμέσα παραλήφθηκαν>|<media tidak disertakan>|<media tak disertakan>|<תוכן המדיה הושמט>|<המדיה לא נכללה>|<تم استبعاد الوسائط>|<وسائط محذوفة>|<رسانه حذف شد>|<मीडिया छोड़ा गया>|<मीडिया के बिना>|<メディアなし>|<メディアは含まれていません>|<媒体文件已忽略>|<省略多媒体文件>|<省略多媒體檔案>|<미디어 파일을 제외한 내용>|<미디어 생략됨>|<không bao gồm tệp phương tiện>|<view once media omitted>|null",
);

/** Endings of iOS lines for media that was left out: `image omitted`, `Bild weggelassen` … */
const omittedEndings = phrases(
  [
    "image|video|audio|gif|sticker|document|contact card|video note|view once photo|view once video|view once voice message"
      .split("|")
      .map((what) => `${what} omitted`),
    "bild|video|audio|gif|sticker|dokument|kontaktkarte|videonachricht".split("|").map((what) => `${what} weggelassen`),
    "imagen omitida|video omitido|vídeo omitido|audio omitido|gif omitido|sticker omitido|documento omitido|tarjeta de contacto omitida".split(
      "|",
    ),
    "image absente|vidéo absente|audio omis|gif omis|sticker omis|document omis|fiche contact omise|image omise|vidéo omise".split(
      "|",
    ),
    "imagem ocultada|imagem omitida|vídeo omitido|áudio ocultado|áudio omitido|gif omitido|figurinha omitida|documento omitido|cartão do contato omitido".split(
      "|",
    ),
    "immagine omessa|video omesso|audio omesso|gif esclusa|sticker non incluso|documento omesso|scheda contatto omessa".split(
      "|",
    ),
    "afbeelding weggelaten|video weggelaten|audio weggelaten|gif weggelaten|sticker weggelaten|document weggelaten|contactkaart weggelaten".split(
      "|",
    ),
    "изображение отсутствует|видео отсутствует|аудиофайл отсутствует|gif отсутствует|стикер отсутствует|документ отсутствует|изображение опущено|видео опущено".split(
      "|",
    ),
    "pominięto obraz|pominięto film|pominięto dźwięk|pominięto gif|pominięto naklejkę|pominięto dokument".split("|"),
    "görüntü dahil edilmedi|video dahil edilmedi|ses dahil edilmedi|gif dahil edilmedi|çıkartma dahil edilmedi|belge dahil edilmedi".split(
      "|",
    ),
  ]
    .flat()
    .join("|"),
);

/** The caption before an iOS "… omitted" phrase, "" when it stands alone; null when the text does not end in one. */
export function beforeOmitted(marked: string): string | null {
  const at = marked.lastIndexOf("\u200e");
  if (at < 0) return omittedEndings.has(phraseKey(marked)) ? "" : null;
  return omittedEndings.has(phraseKey(marked.slice(at + 1))) ? marked.slice(0, at).trim() : null;
}

/** Whole messages that stand where a message was deleted. */
export const deletedMessage = phrases(
  "this message was deleted|you deleted this message|this message was deleted by admin|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|diese nachricht wurde von einem admin gelöscht|se eliminó este mensaje|este mensaje fue eliminado|este mensaje ha sido eliminado|eliminaste este mensaje|has eliminado este mensaje|ce message a été supprimé|vous avez supprimé ce message|ce message a été effacé|mensagem apagada|esta mensagem foi apagada|esta mensagem foi eliminada|você apagou esta mensagem|apagou esta mensagem|questo messaggio è stato eliminato|hai eliminato questo messaggio|dit bericht is verwijderd|je hebt dit bericht verwijderd|u hebt dit bericht verwijderd|det här meddelandet raderades|du raderade det här meddelandet|detta meddelande raderades|denne besked blev slettet|du slettede denne besked|denne meldingen ble slettet|du slettet denne meldingen|tämä viesti poistettiin|poistit tämän viestin|ta wiadomość została usunięta|usunięto tę wiadomość|wiadomość została usunięta|ta wiadomość została skasowana|данное сообщение удалено|сообщение удалено|это сообщение удалено|вы удалили данное сообщение|вы удалили это сообщение|це повідомлення було видалено|tato zpráva byla odstraněna|tato zpráva byla smazána|tuto zprávu jste odstranili|ezt az üzenetet törölték|ez az üzenet törölve lett|acest mesaj a fost șters|bu mesaj silindi|bu mesajı sildiniz|αυτό το μήνυμα διαγράφηκε|pesan ini telah dihapus|anda telah menghapus pesan ini|anda menghapus pesan ini|הודעה זו נמחקה|מחקת הודעה זו|تم حذف هذه الرسالة|لقد حذفت هذه الرسالة|حذفتَ هذه الرسالة|این پیام حذف شد|यह मैसेज मिटाया गया|यह संदेश हटा दिया गया|このメッセージは削除されました|あなたはこのメッセージを削除しました|此消息已删除|此消息已被删除|您已删除此消息|此訊息已刪除|您已刪除此訊息|삭제된 메시지입니다|이 메시지는 삭제되었습니다|tin nhắn này đã bị xóa",
);

/** Marks behind the text of an edited message. */
const editedMarks = phrases(
  "<this message was edited>|<diese nachricht wurde bearbeitet>|<se editó este mensaje>|<este mensaje fue editado>|<se editó este mensaje.>|<ce message a été modifié>|<mensagem editada>|<esta mensagem foi editada>|<questo messaggio è stato modificato>|<dit bericht is bewerkt>|<det här meddelandet redigerades>|<denne besked blev redigeret>|<denne meldingen ble redigert>|<tätä viestiä muokattiin>|<wiadomość edytowana>|<ta wiadomość została edytowana>|<данное сообщение изменено>|<сообщение изменено>|<bu mesaj düzenlendi>|<tato zpráva byla upravena>|<pesan ini diedit>|<הודעה זו נערכה>|<تم تعديل هذه الرسالة>|<此消息已编辑>|<此訊息已編輯>|<このメッセージは編集されました>|<이 메시지는 수정되었습니다>",
);

/** The text before an "edited" mark; null when there is none. */
export function beforeEdited(text: string): string | null {
  if (!text.trimEnd().endsWith(">")) return null;
  const at = text.lastIndexOf("<");
  return at >= 0 && editedMarks.has(phraseKey(text.slice(at))) ? text.slice(0, at).trimEnd() : null;
}

/** What Android writes in brackets behind the name of an attached file. */
export const attachedWords = phrases(
  "file attached|datei angehängt|archivo adjunto|fichier joint|arquivo anexado|ficheiro anexado|file allegato|bestand bijgevoegd|bifogad fil|fil vedhæftet|vedlagt fil|fil vedlagt|tiedosto liitetty|plik dołączony|plik załączony|załączony plik|файл добавлен|файл прикреплен|файл додано|soubor přiložen|přiložený soubor|fájl csatolva|fișier atașat|dosya ekli|dosya ektedir|συνημμένο αρχείο|file terlampir|הקובץ מצורף|קובץ מצורף|ملف مرفق|الملف مرفق|فایل پیوست شد|फ़ाइल संलग्न|फ़ाइल अटैच की गई|添付ファイル|ファイル添付|文件附件|檔案附件|파일 첨부됨|tệp đính kèm",
);

/** First lines of polls. */
export const pollWord =
  /^(?:poll|umfrage|encuesta|sondage|enquete|sondaggio|peiling|poll-|omröstning|afstemning|avstemning|kysely|ankieta|опрос|опитування|anketa|anket|szavazás|sondaj|δημοσκόπηση|polling|סקר|استطلاع|투표|投票|アンケート) ?[:：]$/iu;

/** Lines of poll options: the word goes, the option stays. */
export const optionWord =
  /^(?:option|opción|opção|opzione|optie|alternativ|mulighed|vaihtoehto|opcja|вариант|варіант|možnost|seçenek|opció|opțiune|επιλογή|opsi|אפשרות|خيار|옵션|选项|選項|オプション) ?[:：] ?(.*)$/iu;

/** A shared place: a word, a colon, perhaps a name, and a link. */
export const locationLine =
  /^(?:location|standort|ubicación|position|localisation|lieu|localização|posizione|locatie|plats|placering|sijainti|lokalizacja|местоположение|геопозиция|poloha|konum|hely|locație|τοποθεσία|lokasi|מיקום|الموقع|موقع|위치|位置|位置情報) ?[:：] (.*)$/iu;

/** Notices of calls; the second group says that it was missed. */
export const callNotice =
  /(voice call|video call|sprachanruf|videoanruf|llamada|appel (?:vocal|vidéo)|chamada|chiamata|spraakoproep|video-?oproep|звонок|połączenie|arama)/iu;
export const missedNotice = /(missed|verpasst|perdida|manqué|perdida|persa|gemist|пропущен|nieodebran|cevapsız)/iu;

/** Notices of groups whose text can hold a colon, so that they look like `NAME: TEXT`. */
export const eventInName =
  /["“”„«»「」]|\b(?:created (?:the )?group|changed (?:the|this)|added|removed|left|joined|hat (?:die gruppe|den|das)|hinzugefügt|cambió|a (?:changé|créé)|mudou|ha (?:cambiato|creato)|heeft)\b/iu;

/** The owner of the phone, where an application writes it instead of a name. */
export const ownerWord = /^(?:you|du|sie|tú|usted|vous|você|tu|jij|вы|sen|ja)$/iu;
