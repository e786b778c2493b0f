/**
 * Lines that the application wrote into `content`, in the account's language. Nothing marks them but their words, so a
 * line counts only when the sender's name (or "You") comes before the words, or when it has none at all.
 */

export type Notice = "attachment" | "reaction" | "call" | "missed" | "change";

const whole = (...phrases: string[]) => new RegExp(`^(?:${phrases.join("|")})\\s*\\.?$`, "iu");
const begin = (...phrases: string[]) => new RegExp(`^(?:${phrases.join("|")})`, "iu");

const attachment = whole(
  "sent an? (?:attachment|photo|video|link|voice message|gif|sticker|(?:live )?location)",
  "hat (?:einen Anhang|eine Anlage|ein Foto|ein Video|einen Link|einen Sticker) (?:gesendet|geschickt)",
  "(?:a|avez) envoyé (?:une pièce jointe|une photo|une vidéo|un lien)",
  "(?:ha enviado|envió|enviaste) (?:un archivo adjunto|un enlace|una foto|un video)",
  "(?:ha|hai) inviato (?:un allegato|un link|una foto|un video)",
  "enviou (?:um anexo|um link|uma foto|um vídeo)",
  "(?:heeft|hebt) een (?:bijlage|foto|link|video) (?:verzonden|verstuurd|gestuurd)",
  "wysłał(?:\\(a\\)|a)? (?:załącznik|zdjęcie|link|film)",
  "skickade en (?:bilaga|bild|länk|video)",
  "sendte (?:en vedhæftet fil|et vedlegg)",
  "poslal(?:\\(a\\)|a)? přílohu",
  "bir ek gönderdi",
  "отправил(?:\\(а\\)|\\(-а\\)|а)? вложение",
);

const reaction = whole(
  "reacted .{1,40} to (?:your|a|his|her|their|my) message",
  "liked (?:a|your) message",
  "(?:hat|hast) mit .{1,40} auf .{1,30} Nachricht reagiert",
  "gefällt (?:eine|deine) Nachricht",
  "(?:a|avez) réagi .{1,40}(?:à|a) .{1,20} message",
  "(?:ha reaccionado|reaccionó) (?:con )?.{1,40} a (?:tu|un) mensaje",
  "(?:indicó que )?le gust[aó] un mensaje",
  "ha reagito (?:con )?.{1,40} al (?:tuo )?messaggio",
  "reagiu com .{1,40} (?:à|a) (?:sua|tua|uma)? ?mensagem",
  "curtiu uma mensagem",
  "(?:heeft|hebt) met .{1,40} op .{1,20} bericht gereageerd",
  "zareagował(?:\\(a\\)|a)? .{0,40}na .{1,20} wiadomość",
  "reagerade med .{1,40} på .{1,20} meddelande",
);

const missed = begin(
  "missed (?:a|your|an) (?:video |audio |voice )?(?:call|chat)",
  "(?:hat|hast) .{0,30}anruf .{0,60}verpasst",
  "(?:a|avez) manqué .{0,30}appel",
  "perdió .{0,20}llamada",
  "ha perso .{0,20}chiamata",
  "perdeu .{0,20}chamada",
);

const call = begin(
  "started an? (?:video |audio |voice )?(?:call|chat)",
  "called ",
  "joined the (?:video |audio |voice )?call",
  "(?:hat|hast) .{0,60}(?:an)?gerufen",
  "(?:a|avez) (?:démarré un appel|appelé)",
  "te (?:ha llamado|llamó)",
  "ha iniziato una (?:video)?chiamata",
  "iniciou uma (?:vídeo)?chamada",
  "heeft je gebeld",
);

const change = begin(
  "(?:re)?named the group",
  "(?:changed|set|removed|cleared) .{1,80}(?:group|chat|theme|emoji|nickname|photo|colou?rs?)\\b",
  "added .{1,300} to the (?:group|chat)",
  "removed .{1,200} from the (?:group|chat)",
  "(?:left|joined) the (?:group|chat)",
  "created (?:the|this|a) (?:group|poll|plan)",
  "made .{1,100} an? (?:group )?admin",
  "voted (?:for|in) ",
  "(?:un)?pinned a message",
  "unsent a message",
  "turned (?:on|off) ",
  "hat (?:die Gruppe|den Gruppennamen|eine Umfrage|.{1,200} zur Gruppe hinzugefügt|.{1,200} aus der Gruppe entfernt)",
  "a (?:quitté|nommé) le groupe",
  "a ajouté .{1,200} au groupe",
  "(?:salió|ha salido|abandonó) (?:del|el) grupo",
  "añadió a .{1,200} al grupo",
  "ha (?:abbandonato il|aggiunto .{1,200} al) gruppo",
  "(?:saiu do|adicionou .{1,200} ao) grupo",
  "heeft de groep ",
  "opuścił\\S{0,4} grupę",
);

/** Lines without an actor. */
const bareCall = whole("(?:the )?(?:video |audio |voice )?(?:call|chat) (?:has )?ended", "Anruf beendet");
const bareChange = whole(
  "you are now connected on messenger",
  "you can now (?:message|call) .{1,120}",
  "say hi .{0,60}facebook friend.{0,80}",
  ".{1,80} is now on messenger.{0,80}",
);

/** What kind of notice a text is; null for what a person wrote. */
export function noticeOf(content: string, sender: string | null): Notice | null {
  const line = content.trim();
  if (line.length > 600 || line.includes("\n")) return null;
  const rest = afterActor(line, sender);
  if (reaction.test(rest ?? line)) return "reaction";
  if (bareCall.test(line)) return "call";
  if (bareChange.test(line)) return "change";
  if (rest === null) return null;
  if (attachment.test(rest)) return "attachment";
  if (missed.test(rest)) return "missed";
  if (call.test(rest)) return "call";
  if (change.test(rest)) return "change";
  // A whole name of two words, then a verb: nobody speaks of oneself like that.
  const named = sender !== null && /\s/.test(sender) && line.startsWith(`${sender} `);
  return named && /^\p{Ll}/u.test(rest) ? "change" : null;
}

const you = ["You", "Du", "Vous", "Hai", "Você", "Je"];

/** What follows the sender's name, the first part of it, or a word for "you"; null when the line begins otherwise. */
function afterActor(line: string, sender: string | null): string | null {
  const [first = ""] = (sender ?? "").split(/\s/);
  for (const actor of [sender ?? "", first, ...you]) {
    if (actor !== "" && line.startsWith(`${actor} `)) return line.slice(actor.length + 1);
  }
  return null;
}
