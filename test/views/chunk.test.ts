import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunk, chunkPieces, estimatePieces } from "#main/views/index.ts";
import { modelPlaces } from "#models/installed.ts";
import { openTokenizer } from "#native/tokenizer.ts";
import { randomFrom, wordsByKind } from "../models/exact/texts.ts";
import { ensureTestModel, testModelId } from "../models/model-cache.ts";

const slices = (text: string) => chunk(text).map(({ start, end }) => text.slice(start, end));

describe("chunks", () => {
  const hard = [
    "boat",
    "international",
    "ok.",
    "Dr.",
    "why?",
    "\n",
    "x".repeat(700),
    "日本語の文章です。",
    "渡轮".repeat(150),
    "👩‍👩‍👧‍👦".repeat(90),
    "e\u0301".repeat(300),
    `a${"\u0323".repeat(400)}`,
    "เรือออกเจ็ดโมง".repeat(30),
    "नौका सात बजे।",
    "각".normalize("NFD").repeat(120),
    "\ud83d",
    "VGhlIGxhc3QgZmVycnk".repeat(40),
    "\u200b",
    "\u0301",
  ];

  it("cover every character that is no blank, go forward, and cut no grapheme", () => {
    const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...hard), fc.string({ unit: "binary", maxLength: 40 })), { maxLength: 120 }),
        fc.constantFrom(" ", "", ". "),
        (pieces, gap) => {
          const text = pieces.join(gap);
          const chunks = chunk(text);
          const covered = new Uint8Array(text.length);
          const edges = new Set<number>();
          for (const [at, { start, end }] of chunks.entries()) {
            expect(start).toBeLessThan(end);
            expect(start).toBeGreaterThanOrEqual(chunks[at - 1]?.start ?? 0);
            expect(end).toBeGreaterThan(chunks[at - 1]?.end ?? 0);
            covered.fill(1, start, end);
            edges.add(start).add(end);
          }
          for (const { index, segment } of graphemes.segment(text)) {
            if (/^\s/.test(segment)) continue;
            for (let inside = 0; inside < segment.length; inside++) {
              if (covered[index + inside] !== 1) expect.fail(`${index + inside} is in no chunk`);
              if (inside > 0 && edges.has(index + inside))
                expect.fail(`a chunk ends inside of ${JSON.stringify(segment)}`);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("are sentences together, and repeat the end of the chunk before", () => {
    const long = Array.from({ length: 60 }, (_, at) => `This is sentence number ${at} of a longer letter.`);
    const parts = slices(long.join(" "));
    expect(parts.length).toBeGreaterThan(2);
    for (const [at, part] of parts.entries()) {
      expect(part).toMatch(/^This is sentence.*letter\.$/s);
      if (at > 0) expect(parts[at - 1]).toContain(part.slice(0, 40));
    }
  });

  it("end where a sentence does in scripts that set no blank there", () => {
    const parts = slices("渡轮七点从北码头出发。我姐姐搬到里斯本了！".repeat(20));
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part).toMatch(/[。！]$/);
  });

  it("do not end after an abbreviation", () => {
    const filler = "We met at the harbour and talked about the garden. ".repeat(12);
    for (const part of slices(`${filler}Then Dr. Baker came with Prof. Lund at 7.30 p.m. on time. ${filler}`)) {
      expect(part).not.toMatch(/(?:Dr|Prof)\.$/);
    }
  });

  it("cut a sentence that is too long after its commas, with overlap", () => {
    const list = Array.from({ length: 120 }, (_, at) => `the blue box ${at} from the cellar`).join(", ");
    const parts = slices(list);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts.slice(0, -1)) expect(part).toMatch(/,$/);
    for (const [at, part] of parts.slice(1).entries()) expect(parts[at]).toContain(part.slice(0, 30));
  });

  it("keep a short text whole and make none of blanks", () => {
    expect(chunk("See you at seven.")).toEqual([{ start: 0, end: 17 }]);
    expect(chunk(" \n\t ")).toEqual([]);
    expect(chunk("")).toEqual([]);
  });

  it("take a megabyte without a blank apart", () => {
    const text = "VGhlIGxhc3QgZmVycnkgb2YgdGhlIGRheSB3YXMgbGF0ZSwg".repeat(20_000);
    const parts = chunk(text);
    expect(parts.at(-1)?.end).toBe(text.length);
    expect(Math.max(...parts.map(({ start, end }) => end - start))).toBeLessThan(2_000);
  });
});

describe("chunks by the real tokenizer", async () => {
  const found = await ensureTestModel();

  async function counter(): Promise<(text: string) => number> {
    const { home } = modelPlaces("folder" in found ? found.folder : "", testModelId);
    const tokenizer = openTokenizer(JSON.parse(await readFile(join(home, "tokenizer.json"), "utf8")), {}, 100_000);
    return (text) => tokenizer.encode(text).length;
  }

  it("fit into the 256 tokens of the encoder, author's name and marks included", async (context) => {
    if ("missing" in found) return context.skip(found.missing);
    const count = await counter();
    const random = randomFrom(3);
    const gaps = [" ", " ", " ", " ", " ", ", ", ". ", "\n", " – "];
    let chunks = 0;
    for (const [kind, words] of Object.entries(wordsByKind)) {
      for (let round = 0; round < 3; round++) {
        const text = Array.from({ length: 500 }, () => {
          const word = words[Math.floor(random() * words.length)] ?? "";
          return word + (round === 2 ? " " : (gaps[Math.floor(random() * gaps.length)] ?? " "));
        }).join("");
        for (const part of slices(text)) {
          chunks++;
          expect(count(`Margarethe Feldmann-Oyelaran: ${part}`), `${kind}: ${part.slice(0, 80)}`).toBeLessThanOrEqual(
            256,
          );
        }
      }
    }
    expect(chunks).toBeGreaterThan(60);
  });

  it("are estimated closely where a language is written in the encoder's own letters", async (context) => {
    if ("missing" in found) return context.skip(found.missing);
    const count = await counter();
    const rows = Object.entries(samples).map(([language, text]) => {
      const real = count(text) - 2;
      return {
        language,
        real,
        estimated: estimatePieces(text),
        ratio: Number((estimatePieces(text) / real).toFixed(2)),
      };
    });
    console.table(rows);
    for (const { language, ratio } of rows) {
      expect(ratio, language).toBeGreaterThan(0.9);
      expect(ratio, language).toBeLessThan(1.6);
    }
    expect(chunkPieces / 0.9 + 2 + 15).toBeLessThan(256);
  });
});

const samples = {
  english:
    "The last ferry of the day was late, so we walked home along the river and talked about the apartment in Lisbon that my sister wants to buy.",
  german:
    "Die letzte Fähre des Tages kam zu spät, also gingen wir am Fluss entlang nach Hause und sprachen über die Wohnung in Lissabon, die meine Schwester kaufen will.",
  french:
    "Le dernier bac de la journée était en retard, alors nous sommes rentrés à pied le long de la rivière en parlant de l'appartement que ma sœur voudrait acheter.",
  polish:
    "Ostatni prom tego dnia się spóźnił, więc wróciliśmy do domu pieszo wzdłuż rzeki, rozmawiając o mieszkaniu w Lizbonie, które chce kupić moja siostra.",
  turkish:
    "Günün son vapuru gecikti, bu yüzden nehir boyunca eve yürüdük ve kız kardeşimin satın almak istediği daire hakkında konuştuk.",
  russian:
    "Последний паром в тот день опоздал, поэтому мы пошли домой пешком вдоль реки и говорили о квартире в Лиссабоне, которую хочет купить моя сестра.",
  greek:
    "Το τελευταίο πλοίο της ημέρας καθυστέρησε, οπότε περπατήσαμε στο σπίτι κατά μήκος του ποταμού και μιλήσαμε για το διαμέρισμα.",
  arabic: "تأخرت العبارة الأخيرة في ذلك اليوم، فمشينا إلى البيت على طول النهر وتحدثنا عن الشقة التي تريد أختي شراءها.",
  hebrew: "המעבורת האחרונה של היום איחרה, אז הלכנו הביתה לאורך הנהר ודיברנו על הדירה שאחותי רוצה לקנות.",
  chinese: "那天最后一班渡轮晚点了，所以我们沿着河走回家，聊起我姐姐想在里斯本买的那套公寓。",
  japanese:
    "その日の最後のフェリーが遅れたので、川沿いを歩いて家に帰り、姉が買いたがっているマンションについて話しました。",
  korean: "그날 마지막 배가 늦어서 우리는 강을 따라 집까지 걸으며 언니가 사고 싶어 하는 아파트에 대해 이야기했습니다.",
  hindi:
    "दिन की आखिरी नौका देर से आई, इसलिए हम नदी के किनारे पैदल घर लौटे और उस फ्लैट के बारे में बात की जिसे मेरी बहन खरीदना चाहती है।",
  numbers: "2024-07-15 10:23:45 1,234,567.89 4111 1111 1111 1111 +49 171 5550123 IBAN DE89 3704 0044 0532 0130 00",
};
