import { readFile } from "node:fs/promises";
import { UnderstoryError } from "#contract";

export interface PassphraseOptions {
  readonly passphraseFile?: string | undefined;
}

/**
 * The passphrase from `--passphrase-file`, from UNDERSTORY_PASSPHRASE, or null. Never from an argument: arguments are
 * seen by every program on the machine. Of a file, the line end at its end does not count.
 */
export async function givenPassphrase(
  options: PassphraseOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | null> {
  if (options.passphraseFile !== undefined) {
    const path = options.passphraseFile;
    const text = await readFile(path, "utf8").catch((cause: unknown) => {
      throw new UnderstoryError("path_unreadable", `The passphrase file ${path} cannot be read.`, {
        hint: "Give a text file that holds the passphrase and nothing else.",
        details: { path },
        cause,
      });
    });
    return text.replace(/\r?\n$/, "");
  }
  return env.UNDERSTORY_PASSPHRASE ?? null;
}

/** The passphrase as given, or asked for on a terminal without showing it. Without a terminal: `archive_locked`. */
export async function needPassphrase(options: PassphraseOptions, asked: { twice: boolean }): Promise<string> {
  const given = await givenPassphrase(options);
  if (given !== null) return given;
  if (!process.stdin.isTTY) {
    throw new UnderstoryError("archive_locked", "The passphrase is needed, and there is no terminal to ask on.", {
      hint: "Use --passphrase-file FILE, or set UNDERSTORY_PASSPHRASE.",
    });
  }
  const first = await askHidden("Passphrase: ");
  if (asked.twice && (await askHidden("Once more:  ")) !== first) {
    throw new UnderstoryError("bad_request", "The two passphrases differ.", { hint: "Nothing was made. Try again." });
  }
  return first;
}

/** Reads one line from the terminal without showing it. Ctrl-C refuses with `cancelled`. */
export function askHidden(
  prompt: string,
  input: NodeJS.ReadStream = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  output.write(prompt);
  input.setRawMode(true);
  input.setEncoding("utf8").resume();
  return new Promise((resolve, reject) => {
    let line = "";
    const end = () => {
      input.off("data", take);
      input.setRawMode(false);
      input.pause();
      output.write("\n");
    };
    const take = (chunk: string) => {
      for (const char of chunk) {
        if (char === "\r" || char === "\n") {
          end();
          return resolve(line);
        }
        if (char === "\u0003" || char === "\u0004") {
          end();
          return reject(new UnderstoryError("cancelled", "No passphrase was given."));
        }
        if (char === "\u007f" || char === "\b") line = [...line].slice(0, -1).join("");
        else if (char >= " ") line += char;
      }
    };
    input.on("data", take);
  });
}
