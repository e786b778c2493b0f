import { UnderstoryError } from "#contract";
import { type OnnxSession, openOnnx } from "#native/onnx.ts";
import { type CatalogueModel, derivedBy, type ModelFile } from "./catalogue.ts";
import { quarantineModel, readModelFiles } from "./installed.ts";

/** An installed model whose files were read and checked. */
export interface CheckedModel {
  /** `derivedBy` of the file that decides about the results. */
  readonly modelId: string;
  /** Bytes of the file with this role. Throws `model_damaged` when the entry names none. */
  bytesOf(role: ModelFile["role"]): Uint8Array;
  /** Opens a network of the model; one that does not open is refused with `model_unsupported` or goes into quarantine. */
  open(role: ModelFile["role"], threads: number): Promise<OnnxSession>;
  /** Puts the model out of use and gives the error that says so (`model_damaged`). */
  refuse(why: string): Promise<UnderstoryError>;
}

/** Words of the run-time for a network that is whole but needs more than it has: a newer format, unknown operators. */
const unsupported =
  /not a registered|no op registered|is not supported|unsupported|not implemented|NOT_IMPLEMENTED|under development|opset|IR.?version/i;

/** Reads and checks the files of an installed model. Throws `model_missing` or `model_damaged` (then in quarantine). */
export async function checkModel(
  folder: string,
  model: CatalogueModel,
  decisive: ModelFile["role"],
): Promise<CheckedModel> {
  const { installed, files } = await readModelFiles(folder, model);
  const nameOf = (role: ModelFile["role"]) => model.files.find((file) => file.role === role)?.name ?? role;
  const bytesOf = (role: ModelFile["role"]) => {
    const bytes = files.get(nameOf(role));
    if (bytes) return bytes;
    throw new UnderstoryError("model_damaged", `The model ${model.title} has no file for "${role}".`, {
      hint: "Install the model again.",
      details: { id: model.id },
    });
  };
  const hash = installed.files.find(({ name }) => name === nameOf(decisive))?.sha256 ?? "";
  const refuse = (why: string) => quarantineModel(folder, model, why);
  return {
    modelId: derivedBy(model, hash),
    bytesOf,
    refuse,
    async open(role, threads) {
      try {
        return await openOnnx(bytesOf(role), { threads });
      } catch (error) {
        const words = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
        if (!unsupported.test(words)) throw await refuse(`${nameOf(role)} does not open (${words})`);
        throw new UnderstoryError("model_unsupported", `The model ${model.title} cannot be run here: ${words}`, {
          hint: "Its files are whole. Choose another model for this purpose, or a newer Understory.",
          details: { id: model.id },
          cause: error,
        });
      }
    },
  };
}
