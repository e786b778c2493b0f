export { emlImporter } from "./eml.ts";
export { mboxImporter } from "./mbox.ts";
