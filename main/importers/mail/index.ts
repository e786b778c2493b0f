export { emlImporter } from "./eml.ts";
export { emlxImporter } from "./emlx.ts";
export { mboxImporter } from "./mbox.ts";
export { partOfMessage, readPart } from "./open-part.ts";
export { msgImporter } from "./outlook/files.ts";
export { pstImporter } from "./outlook/store.ts";
