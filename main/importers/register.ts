import { bookmarksImporter } from "./bookmarks/index.ts";
import { calendarImporter } from "./calendar/index.ts";
import { contactsImporter } from "./contacts/index.ts";
import { discordImporter } from "./discord/index.ts";
import { documentsImporter } from "./documents/index.ts";
import { evernoteImporter } from "./evernote/index.ts";
import { googleChatImporter, googleVoiceImporter, hangoutsImporter } from "./google-chat/index.ts";
import { imessageImporter } from "./imessage/index.ts";
import { keepImporter } from "./keep/index.ts";
import { emlImporter, emlxImporter, mboxImporter, msgImporter, pstImporter } from "./mail/index.ts";
import { markdownImporter } from "./markdown/index.ts";
import { matrixImporter } from "./matrix/index.ts";
import { metaImporter } from "./meta/index.ts";
import { declinedChatsImporter, lineImporter, skypeImporter } from "./other-chats/index.ts";
import { photosImporter } from "./photos/index.ts";
import { placesImporter } from "./places/index.ts";
import { signalImporter } from "./signal/index.ts";
import { slackImporter } from "./slack/index.ts";
import { smsImporter } from "./sms/index.ts";
import { telegramImporter } from "./telegram/index.ts";
import type { Importer } from "./types.ts";
import { whatsappImporter } from "./whatsapp/index.ts";

/** Every importer of the product, one line each. Their `order` decides who looks first. */
export const importers: readonly Importer[] = [
  mboxImporter,
  emlImporter,
  emlxImporter,
  msgImporter,
  pstImporter,
  whatsappImporter,
  calendarImporter,
  contactsImporter,
  bookmarksImporter,
  evernoteImporter,
  markdownImporter,
  placesImporter,
  keepImporter,
  imessageImporter,
  smsImporter,
  metaImporter,
  slackImporter,
  googleChatImporter,
  hangoutsImporter,
  googleVoiceImporter,
  skypeImporter,
  lineImporter,
  declinedChatsImporter,
  telegramImporter,
  discordImporter,
  signalImporter,
  matrixImporter,
  documentsImporter,
  photosImporter,
];
