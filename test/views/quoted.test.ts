import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskQuoted } from "#main/views/quoted.ts";

const kept = (text: string) =>
  maskQuoted(text)
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();

describe("what a mail repeats", () => {
  test.each([
    "On Tue, Apr 2, 2024 at 8:00 AM Jo Berg <jo@example.org> wrote:",
    "On Tue, Apr 2, 2024 at 8:00 AM Jo Berg\n<jo@example.org> wrote:",
    "Am 02.04.2024 um 08:00 schrieb Jo Berg:",
    "Le mar. 2 avr. 2024 à 08:00, Jo Berg <jo@example.org> a écrit :",
    "El mar, 2 abr 2024 a las 8:00, Jo Berg (<jo@example.org>) escribió:",
    "Il giorno mar 2 apr 2024 alle ore 08:00 Jo Berg <jo@example.org> ha scritto:",
    "Em ter., 2 de abr. de 2024 às 08:00, Jo Berg <jo@example.org> escreveu:",
    "Op di 2 apr 2024 om 08:00 schreef Jo Berg <jo@example.org>:",
    "Den tis 2 apr. 2024 kl 08:00 skrev Jo Berg <jo@example.org>:",
    "W dniu 2.04.2024 o 08:00, Jo Berg napisał(a):",
    "вт, 2 апр. 2024 г. в 08:00, Jo Berg <jo@example.org>:",
    "2 апреля 2024 г., 08:00, Jo Berg пишет:",
    "2024年4月2日(火) 8:00 Jo Berg さんは書きました:",
    "Jo Berg <jo@example.org> 于2024年4月2日周二 08:00写道：",
    "-----Original Message-----",
    "-----Ursprüngliche Nachricht-----",
    "----- Message d'origine -----",
    "-----Mensaje original-----",
    "-----Исходное сообщение-----",
    "From: Jo Berg\nSent: Tuesday, April 2, 2024 8:00 AM\nTo: Ole\nSubject: boat",
    "*Von:* Jo Berg\n*Gesendet:* Dienstag, 2. April 2024 08:00\n*An:* Ole\n*Betreff:* Boot",
    "De : Jo Berg\nEnvoyé : mardi 2 avril 2024 08:00\nÀ : Ole\nObjet : bateau",
    "Från: Jo Berg\nSkickat: den 2 april 2024 08:00\nTill: Ole\nÄmne: båt",
  ])("%s", (introduction) => {
    const mail = `New words here.\n\n${introduction}\nold words\nmore old words`;
    const quoted = `New words here.\n\n${introduction}\n> old words\n> more old words`;
    expect(maskQuoted(mail)).toHaveLength(mail.length);
    expect(kept(quoted)).not.toContain("old words");
    expect(kept(mail)).toBe("New words here.");
  });

  test("answers between quoted lines stay", () => {
    const mail =
      "On 2 Apr 2024 at 08:00, Jo wrote:\n> first question\nfirst answer\n\n> second question\nsecond answer";
    expect(
      kept(mail)
        .split("\n")
        .filter((line) => line !== ""),
    ).toEqual(["first answer", "second answer"]);
  });
});

describe("what is not new", () => {
  test.each([
    "-- \nJo Berg\nHarbour 4",
    "Sent from my iPhone",
    "Von meinem iPhone gesendet",
    "Envoyé de mon iPhone",
    "Enviado desde mi iPhone",
    "Отправлено с iPhone",
    "iPhoneから送信",
  ])("a signature: %s", (signature) => expect(kept(`See you at nine.\n\n${signature}`)).toBe("See you at nine."));
});

describe("what stays", () => {
  test.each([
    "Look at this.\n\n---------- Forwarded message ---------\nFrom: Jo <jo@example.org>\nDate: Tue, 2 Apr 2024 at 08:00\nSubject: boat\nTo: Ole\n\nThe boat leaves at nine.",
    "Begin forwarded message:\n\nFrom: Jo\nDate: 2 April 2024\nTo: Ole\n\nThe boat leaves at nine.",
    "-------- Weitergeleitete Nachricht --------\nBetreff: Boot\nDatum: 2.4.2024\nVon: Jo\n\nDas Boot fährt um neun.",
    "On the way home she wrote:\nI come tomorrow.",
    "From: here to there: 3 km\nnothing else",
    "> only a quotation",
    "The letter was sent from my old house in 1990. It never came.",
  ])("%s", (mail) => expect(maskQuoted(mail)).toBe(mail));
});

test("offsets never move, whatever the text is", () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom("> a", "-- ", "On 1.1.2024 x wrote:", "From: a", "Sent: b", "To: c", ""),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.join("\n");
      const masked = maskQuoted(text);
      expect(masked).toHaveLength(text.length);
      for (let i = 0; i < text.length; i++) expect([" ", text[i]]).toContain(masked[i]);
    }),
  );
});
