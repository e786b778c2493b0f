/** Texts that a person's archive can hold, and some that only an attacker writes: the same list for the same seed. */

/** Numbers in [0, 1), the same on every run (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const wordsByKind: Readonly<Record<string, readonly string[]>> = {
  english:
    "the ferry leaves at seven from north pier my sister moved to Lisbon last spring and we had apple cake in garden while it rained on Tuesday Dr. Baker said don't worry".split(
      " ",
    ),
  german:
    "die Fähre legt um sieben Uhr am Nordanleger ab und Großmutters Apfelkuchen schmeckte über alle Maßen Straßenbahnhaltestelle Donaudampfschifffahrt z. B. gestern".split(
      " ",
    ),
  accents:
    "naïve café déjà Ångström Łódź Dvořák şöför İstanbul señor coração ćevapčići Kőszeg Ørsted þing œuvre ﬁne ½ № ™ ａｂｃ".split(
      " ",
    ),
  decomposed:
    "cafe\u0301 an\u0303o A\u030angstrom q\u0323\u0307 e\u0301\u0302\u0303\u0304 \u1100\u1161\u11a8 か\u3099".split(
      " ",
    ),
  chinese: "渡轮 七点 从 北 码头 出发 我 姐姐 去年 春天 搬到 里斯本 ，我们 在 花园 吃 苹果 蛋糕 。".split(" "),
  japanese: "フェリー は 七時 に 北埠頭 から 出ます 。 姉 は 去年 の 春 リスボン へ 引っ越しました ｶﾀｶﾅ".split(" "),
  korean: "배는 일곱 시에 북쪽 부두에서 떠납니다 언니는 작년 봄 리스본으로 이사했어요".split(" "),
  thai: "เรือ ออก เจ็ด โมง จาก ท่า เหนือ พี่สาว ย้าย ไป ลิสบอน".split(" "),
  hindi: "नौका सात बजे उत्तरी घाट से निकलती है मेरी बहन पिछले वसंत लिस्बन चली गई".split(" "),
  arabic: "تغادر العبّارة في السابعة من الرصيف الشمالي وانتقلت أختي إلى لشبونة الربيع الماضي؟".split(" "),
  hebrew: "המעבורת יוצאת בשבע מהרציף הצפוני שָׁלוֹם אחותי עברה לליסבון".split(" "),
  russian: "паром отходит в семь от северного причала моя сестра переехала в Лиссабон прошлой весной ёлка".split(" "),
  greek: "το πλοίο φεύγει στις επτά από τη βόρεια προβλήτα η αδελφή μου μετακόμισε".split(" "),
  emoji: ["👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇵🇹", "😀", "❤️", "👨🏿‍🚀", "1️⃣", "☕", "so", "happy", "🎂🎂🎂"],
  links: [
    "https://example.org/a/b?q=1&r=%C3%A4#top",
    "www.example.com",
    "user.name+tag@example.co.uk",
    "file:///C:/Users/x/Desktop/plan%20(1).pdf",
    "10.0.0.1:8080",
    "see",
  ],
  code: [
    "const",
    "x",
    "=",
    "await",
    "fetch(url);",
    "//",
    "{",
    "}",
    "if(a<=b&&c!=null)",
    "snake_case_name",
    "camelCaseName",
    "<div class='a'>",
    "\\n",
    "0xDEADBEEF",
    "SELECT * FROM t;",
  ],
  numbers: [
    "42",
    "3.14159",
    "1,234,567.89",
    "2024-07-15T10:00:00Z",
    "+49 171 5550123",
    "€12.50",
    "100%",
    "1e-9",
    "٣٤٥",
    "Ⅷ",
  ],
};

/** Every text is in one of these scripts, in several mixed, or one of the hard ones. */
export function exactTexts(seed: number, count = 500): string[] {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[], otherwise: T): T => list[Math.floor(random() * list.length)] ?? otherwise;
  const kinds = Object.values(wordsByKind);
  const gaps = [" ", " ", " ", " ", " ", " ", "", "\n", "  ", ", ", ". ", "\t", " — ", "\u00a0", "! "];
  const sentence = (length: number, mixed: boolean) => {
    let kind = pick(kinds, []);
    let text = "";
    for (let at = 0; at < length; at++) {
      if (mixed && random() < 0.3) kind = pick(kinds, []);
      text += pick(kind, "") + pick(gaps, " ");
    }
    return text;
  };
  const texts = hardTexts();
  while (texts.length < count) texts.push(sentence(1 + Math.floor(18 * random() ** 2), random() < 0.3));
  return texts.slice(0, count);
}

function hardTexts(): string[] {
  const sentence = "The last ferry of the day was late, so we walked home along the river. ";
  return [
    "",
    " ",
    "\n\t \r\n",
    "\u00a0\u2003\u3000",
    "\0",
    "a\0b\u0001c\u007f\u0080d",
    "\u200b\u200d\ufeff\u2060",
    "soft\u00adhyphen zero\u200bwidth \u202eright to left\u202c",
    "\ufffd",
    "\u0301",
    "\u0301\u0302 alone",
    `z${"\u0335\u0321".repeat(60)}algo`,
    "a",
    "?",
    "...",
    "[CLS] [SEP] [PAD] [MASK] [UNK] ##ing",
    "x".repeat(99),
    "x".repeat(100),
    "x".repeat(101),
    "x".repeat(5_000),
    `${"Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz".repeat(4)} und weiter`,
    "naïve".normalize("NFD"),
    "𝔊𝔬𝔱𝔥𝔦𝔠 𝟙𝟚𝟛 🄰",
    "\u{10ffff}\u{e000}",
    "word ".repeat(253),
    "word ".repeat(254),
    "word ".repeat(255),
    "word ".repeat(300),
    sentence.repeat(1_400),
    "渡轮七点从北码头出发。".repeat(60),
    `${" ".repeat(40_000)}far behind blanks`,
    `${"\u0301".repeat(20_000)}behind marks`,
    "!".repeat(600),
    "0123456789".repeat(200),
    "👩‍👩‍👧‍👦".repeat(120),
    "🎂 ".repeat(200),
    "שלום عليكم ".repeat(40),
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "Line one\r\nLine two\r\n\r\n> quoted\r\n-- \r\nSignature",
  ];
}
