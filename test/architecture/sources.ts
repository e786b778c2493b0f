import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

export const rooms = ["electron", "renderer", "main", "native", "models", "test"] as const;

/** All TypeScript sources of a top-level folder, as paths relative to the root with `/` between. */
export function sourcesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.(ts|tsx|js)$/.test(entry.name) && !entry.parentPath.includes("node_modules"),
    )
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

export const read = (path: string): string => readFileSync(join(root, path), "utf8");

const specifier =
  /(?:^|\n)\s*(?:import|export)\s(?:[^;'"]*?\sfrom\s*)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** What a file imports, type-only imports included: a path from the root for ours, the package's name for others'. */
export function importsOf(path: string): { target: string; ours: boolean }[] {
  const found: { target: string; ours: boolean }[] = [];
  for (const match of read(path).matchAll(specifier)) {
    const name = match[1] ?? match[2] ?? "";
    if (name === "#contract") found.push({ target: "main/contract/index.ts", ours: true });
    else if (name.startsWith("#")) found.push({ target: name.slice(1), ours: true });
    else if (name.startsWith(".")) {
      found.push({ target: posix.normalize(posix.join(posix.dirname(path), name)), ours: true });
    } else {
      const [scope, rest] = name.split("/");
      found.push({ target: name.startsWith("@") ? `${scope}/${rest}` : (scope ?? name), ours: false });
    }
  }
  return found;
}
