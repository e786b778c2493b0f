import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const message = (n: number, subject: string, text: string) => `From ada@example.org Mon Mar 04 10:00:00 2019
From: Ada Lark <ada@example.org>
To: Bo Finch <bo@example.org>
Date: Mon, 04 Mar 2019 10:0${n}:00 +0100
Message-ID: <m${n}@example.org>
Subject: ${subject}

${text}

`;

/** A folder with a mailbox of three messages, one of them hostile to terminals, and a file that is no zip. Gives its path. */
export async function writeMail(place: string): Promise<string> {
  const folder = join(place, "Mail");
  await mkdir(folder);
  await writeFile(
    join(folder, "Inbox.mbox"),
    message(1, "Boat house", "The deposit for the boat house was 420 euros.") +
      message(2, "Cake", "The apple cake needs six eggs.") +
      message(3, "\u001b]0;gotcha\u0007", "Escape \u001b[31mred."),
  );
  await writeFile(join(folder, "broken.zip"), "PK\u0003\u0004 this is no zip");
  return folder;
}
