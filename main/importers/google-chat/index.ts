export { googleChatImporter } from "./chat.ts";
export { hangoutsImporter } from "./hangouts.ts";
export { googleVoiceImporter } from "./voice.ts";
