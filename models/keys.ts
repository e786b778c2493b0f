import type { ModelPurpose } from "#contract";
import { type CatalogueModel, derivedBy, type ModelFile } from "./catalogue.ts";
import { readInstalled } from "./installed.ts";

/** The file that decides about what a model gives; another build of it is another model to whatever was derived. */
const decisive: Readonly<Partial<Record<ModelPurpose, ModelFile["role"]>>> = { ocr: "recogniser" };

/** Key of what an installed model derives (`derivedBy`), without opening it; null when it is not installed. */
export function installedKey(folder: string, model: CatalogueModel): string | null {
  const role = decisive[model.purpose] ?? "weights";
  const name = model.files.find((file) => file.role === role)?.name;
  const file = readInstalled(folder, model)?.files.find((one) => one.name === name);
  return file === undefined ? null : derivedBy(model, file.sha256);
}
