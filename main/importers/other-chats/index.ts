export { declinedChatsImporter } from "./declined.ts";
export { lineImporter } from "./line.ts";
export { skypeImporter } from "./skype.ts";
