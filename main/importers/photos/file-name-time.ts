import type { RecordTime } from "#contract";
import { instantOf, type Wall, wallTime } from "./wall-time.ts";

/** A time that a file name tells. */
export interface NamedTime {
  readonly wall: Wall;
  /** The name counts in UTC (Pixel phones, epoch names); else it is the wall clock of an unknown zone. */
  readonly utc: boolean;
}

interface Pattern {
  readonly match: RegExp;
  /** Order of the captured groups; default year, month, day, hour, minute, second. */
  readonly order?: "dmy";
  readonly utc?: boolean;
  readonly precision?: RecordTime["precision"];
}

const date = String.raw`(\d{4})[-_.]?(\d\d)[-_.]?(\d\d)`;
const clock = String.raw`(\d\d)[-_.:]?(\d\d)[-_.:]?(\d\d)`;

/** Conventions of cameras and applications, the strictest first. None is a standard: the calendar decides. */
const patterns: readonly Pattern[] = [
  // Pixel: PXL_20240302_080000123.jpg counts in UTC, milliseconds at the end.
  { match: /^PXL_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)(\d{3})/, utc: true, precision: "ms" },
  // WhatsApp: IMG-20150101-WA0001.jpg has a counter, not a time.
  { match: /^(?:IMG|VID|PTT|AUD|STK|DOC)-(\d{4})(\d\d)(\d\d)-WA\d+/i, precision: "day" },
  // Telegram Desktop: photo_12@24-12-2023_18-30-00.jpg.
  { match: /^(?:photo|video|file)_\d+@(\d\d)-(\d\d)-(\d{4})_(\d\d)-(\d\d)-(\d\d)/, order: "dmy" },
  { match: new RegExp(`^signal-${date}-${clock}`, "i") },
  // Android, Samsung, panoramas, screenshots: IMG_20190704_101112, 20190704_101112, Screenshot_20240107-121212_App.
  { match: new RegExp(String.raw`(?:^|[^\d])${date}[-_ T]${clock}(?!\d{4})`) },
];

/** macOS in its languages: `Screenshot 2023-11-02 at 9.08.07 PM`, `Bildschirmfoto 2023-11-02 um 09.08.07`. */
const desktopScreenshot =
  /^\D{4,40}?(\d{4})-(\d\d)-(\d\d)[\s\u00a0\u202f]\D{0,12}?(\d{1,2})[.:](\d\d)[.:](\d\d)(?:[\s\u00a0\u202f]?([AP])\.?M)?/iu;

/** Epoch milliseconds: FB_IMG_1562234567890, mmexport1562234567890, 1562234567890. */
const epochName = /^(?:FB_IMG_|mmexport|IMG_|received_|)(\d{13})(?!\d)/i;
const firstEpochName = Date.UTC(2005, 0, 1);

/** What systems call a screenshot, at the beginning of a name, in the languages of macOS, Windows, Android and GNOME. */
const screenshotName = new RegExp(
  `^(?:${[
    "screen[-_ ]?shot",
    "screenrecord",
    "bildschirmfoto",
    "bildschirmaufnahme",
    "capture[ _]d.[ée]cran",
    "capture\\d{8}",
    "captura[ _](?:de|d.)[ _]",
    "istantanea",
    "schermata",
    "schermafbeelding",
    "schermopname",
    "sk[äa]rm(?:avbild|klipp|bild)",
    "skj(?:ermbilde|ermdump|ærmbillede|ermbillede)",
    "skærm",
    "näyttökuva",
    "zrzut[ _]ekranu",
    "sn[íi]m(?:ek|ka)[ _]obrazovky",
    "k[ée]perny[őo](?:fot[óo]|k[ée]p)",
    "captur[ăa][ _]de[ _]ecran",
    "posnetek[ _]zaslona",
    "snimka?[ _](?:zaslona|ekrana)",
    "ekran[ _](?:g[öo]r[üu]nt[üu]s[üu]|resmi|al[ıi]nt[ıi]s[ıi])",
    "tangkapan[ _]layar",
    "ảnh[ _]chụp",
    "ภาพถ่ายหน้าจอ",
    "στιγμιότυπο",
    "снимок[ _]экрана",
    "скриншот",
    "знімок[ _]екрана",
    "צילום[ _]מסך",
    "لقطة[ _]شاشة",
    "स्क्रीनशॉट",
    "スクリーン ?ショット",
    "屏幕截[图圖]",
    "屏幕快照",
    "螢幕(?:截圖|快照)",
    "截[图圖屏]",
    "스크린 ?샷",
    "화면 ?캡처",
  ].join("|")})`,
  "iu",
);
const screenshotFolder =
  /^(?:screen ?shots?|bildschirmfotos|captures? d.écran|capturas(?: de pantalla)?|スクリーンショット|截图|屏幕截图)$/iu;

/** True for names that systems give to screenshots, and for files in a folder of them. `path` has `/` between. */
export function isScreenshotPath(path: string): boolean {
  const parts = path.split("/");
  const folder = parts.at(-2) ?? "";
  return screenshotName.test(parts.at(-1)?.normalize("NFC") ?? "") || screenshotFolder.test(folder.normalize("NFC"));
}

/** The time in a file name (not a path), or null. `now` in ms bounds epoch names. Counters such as IMG_1234 give none. */
export function timeInFileName(name: string, now: number): NamedTime | null {
  for (const { match, order, utc = false, precision = "second" } of patterns) {
    const found = match.exec(name);
    if (!found) continue;
    const numbers = found.slice(1, 7).map(Number);
    if (order === "dmy") numbers.splice(0, 3, ...numbers.slice(0, 3).reverse());
    const wall = wallTime(numbers, precision, precision === "ms" ? Number(found[7]) : 0);
    if (wall && wall.year >= 1900) return { wall, utc };
  }
  const shot = desktopScreenshot.exec(name);
  if (shot) {
    const [year, month, day, hour = 0, minute, second] = shot.slice(1, 7).map(Number);
    const half = shot[7]?.toUpperCase();
    const hour24 = half === undefined ? hour : (hour % 12) + (half === "P" ? 12 : 0);
    const wall = wallTime([year, month, day, hour24, minute, second], "second");
    if (wall) return { wall, utc: false };
  }
  const epoch = epochName.exec(name);
  if (epoch) {
    const at = new Date(Number(epoch[1]));
    if (at.getTime() >= firstEpochName && at.getTime() <= now) {
      const parts = at.toISOString().match(/\d+/g)?.map(Number) ?? [];
      const wall = wallTime(parts.slice(0, 6), "ms", at.getUTCMilliseconds());
      if (wall && instantOf(wall, 0) === at.getTime()) return { wall, utc: true };
    }
  }
  return null;
}
