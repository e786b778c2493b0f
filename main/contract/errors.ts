import { z } from "zod";

/**
 * Every way in which a call can be refused. A code is stable: the window, the CLI and scripts decide by it.
 * Adding one is a change of the contract; renaming one breaks people's scripts.
 */
export const errorCodes = [
  "bad_request",
  "unknown_method",
  "cancelled",
  "disconnected",
  "internal",
  "no_archive",
  "archive_exists",
  "archive_locked",
  "archive_in_use",
  "archive_damaged",
  "archive_newer",
  "wrong_passphrase",
  "wrong_recovery_code",
  "weak_passphrase",
  "keychain_unavailable",
  "disk_full",
  "not_writable",
  "not_found",
  "path_missing",
  "path_unreadable",
  "nothing_to_import",
  "unsupported_format",
  "damaged_file",
  "limit_exceeded",
  "unsafe_path",
  "import_not_found",
  "job_not_found",
  "model_missing",
  "model_damaged",
  "model_download_failed",
  "model_unsupported",
  "inference_failed",
  "memory_short",
  "consent_required",
  "worker_crashed",
  "conflict",
] as const;

export const errorCodeSchema = z.enum(errorCodes);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

/** What crosses a transport when a call fails. */
export const errorShapeSchema = z.object({
  code: errorCodeSchema,
  /** One sentence for a person: what happened, naming the file or field. */
  message: z.string(),
  /** What is safe and what to do next. */
  hint: z.string().nullable(),
  /** Machine-readable particulars (path, field, offset …). Never content of a record. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type ErrorShape = z.infer<typeof errorShapeSchema>;

/** The only error type that leaves a room of the core on purpose. Everything else is a bug and becomes `internal`. */
export class UnderstoryError extends Error {
  override readonly name = "UnderstoryError";
  readonly code: ErrorCode;
  readonly hint: string | null;
  readonly details: ErrorShape["details"];

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; details?: ErrorShape["details"]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? null;
    this.details = options.details ?? {};
  }

  toShape(): ErrorShape {
    return { code: this.code, message: this.message, hint: this.hint, details: this.details };
  }

  static fromShape(shape: ErrorShape): UnderstoryError {
    return new UnderstoryError(shape.code, shape.message, {
      ...(shape.hint === null ? {} : { hint: shape.hint }),
      details: shape.details,
    });
  }
}

/** The shape of any thrown value; what is not an UnderstoryError is reported as `internal` with its message. */
export function toErrorShape(error: unknown): ErrorShape {
  if (error instanceof UnderstoryError) return error.toShape();
  if (error instanceof Error && error.name === "AbortError") {
    return { code: "cancelled", message: "The call was cancelled.", hint: null, details: {} };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: "internal",
    message: `Something in Understory itself went wrong: ${message}`,
    hint: "Your archive is not changed by this. Try again; if it happens again, please report it.",
    details: {},
  };
}
