import { type DroppedFile, useImports } from "../state/imports.ts";

/** All files of what was dropped or picked, folders walked; each with its path below what was dropped. */
export async function* walk(entries: readonly FileSystemEntry[], below = ""): AsyncGenerator<DroppedFile> {
  for (const entry of entries) {
    const path = `${below}${entry.name}`;
    if (isFile(entry)) {
      yield { path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) };
    } else if (isFolder(entry)) {
      const reader = entry.createReader();
      // A reader gives at most a hundred entries at a time, and none at the end.
      for (;;) {
        const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        if (some.length === 0) break;
        yield* walk(some, `${path}/`);
      }
    }
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

async function* given(files: readonly File[]): AsyncGenerator<DroppedFile> {
  for (const file of files) yield { path: file.webkitRelativePath || file.name, file };
}

/** Takes a drop: by path where the shell knows it, else by sending the bytes. The entries must be read at once. */
export function takeDrop(transfer: DataTransfer): void {
  const shell = window.understory;
  if (shell) {
    const paths = [...transfer.files].map((file) => shell.pathOf(file)).filter((path) => path !== "");
    if (paths.length > 0) void useImports.getState().planPaths(paths);
    return;
  }
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length > 0) void useImports.getState().sendFiles(walk(entries));
}

/** Takes what a file field gave. */
export function takeFiles(files: FileList): void {
  const shell = window.understory;
  const all = [...files];
  if (all.length === 0) return;
  if (shell) void useImports.getState().planPaths(all.map((file) => shell.pathOf(file)));
  else void useImports.getState().sendFiles(given(all));
}
