export { emlImporter } from "./eml.ts";
export { emlxImporter } from "./emlx.ts";
export { mboxImporter } from "./mbox.ts";
