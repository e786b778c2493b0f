import type { Drawing } from "../scenes/drawing.ts";
import * as house from "../scenes/house.ts";
import { lake } from "../scenes/lake.ts";
import * as land from "../scenes/landscapes.ts";
import * as notices from "../scenes/notices.ts";
import * as things from "../scenes/objects.ts";
import * as occasions from "../scenes/occasions.ts";
import * as pets from "../scenes/pets.ts";
import * as rooms from "../scenes/rooms.ts";
import * as screens from "../scenes/screens.ts";
import { snow } from "../scenes/snow.ts";
import * as streets from "../scenes/streets.ts";
import * as tables from "../scenes/tables.ts";
import * as tickets from "../scenes/tickets.ts";

/** Where and with what a picture was taken. */
export const places = {
  hill: { lat: 51.4486, lon: -2.5589, alt: 62 },
  harbour: { lat: 51.4489, lon: -2.5987, alt: 9 },
  flat: { lat: 51.4419, lon: -2.5761, alt: 48 },
  alderRow: { lat: 51.4403, lon: -2.6014, alt: 21 },
  studio: { lat: 51.4531, lon: -2.5822, alt: 12 },
  school: { lat: 51.4391, lon: -2.5948, alt: 24 },
  avenue: { lat: 51.4628, lon: -2.6209, alt: 88 },
  centre: { lat: 51.4545, lon: -2.5954, alt: 11 },
  hamburg: { lat: 53.5528, lon: 10.0067, alt: 6 },
  luebeck: { lat: 53.8662, lon: 10.6843, alt: 13 },
  travemuende: { lat: 53.9624, lon: 10.8801, alt: 2 },
  bala: { lat: 52.8876, lon: -3.6231, alt: 163 },
  eryri: { lat: 52.7986, lon: -3.6854, alt: 781 },
  harz: { lat: 51.7243, lon: 10.6094, alt: 602 },
  goslar: { lat: 51.9071, lon: 10.4286, alt: 263 },
  whitby: { lat: 54.4908, lon: -0.6142, alt: 8 },
  thornwick: { lat: 54.4442, lon: -0.5391, alt: 71 },
  airport: { lat: 51.3862, lon: -2.7136, alt: 186 },
  bled: { lat: 46.3634, lon: 14.0926, alt: 478 },
  vrsic: { lat: 46.4336, lon: 13.7434, alt: 1612 },
  ljubljana: { lat: 46.0509, lon: 14.5063, alt: 297 },
  cardiff: { lat: 51.4876, lon: -3.2017, alt: 16 },
} as const;

export type Camera = "phone" | "compact" | "screen";

export interface Picture {
  readonly id: string;
  /** Wall time, `YYYY-MM-DD HH:MM:SS`. */
  readonly at: string;
  readonly zone: "London" | "Berlin";
  readonly camera: Camera;
  readonly place: keyof typeof places | null;
  /** Upright size; a portrait from the phone is stored lying, with orientation 6. */
  readonly shape: "landscape" | "portrait" | "screen";
  readonly scene: (drawing: Drawing) => string;
}

interface Options {
  readonly zone?: Picture["zone"];
  readonly camera?: Camera;
  readonly shape?: Picture["shape"];
}

const picture = <const Id extends string>(
  id: Id,
  at: string,
  place: Picture["place"],
  scene: Picture["scene"],
  options: Options = {},
): Picture & { readonly id: Id } => ({
  id,
  at,
  place: options.camera === "compact" || options.camera === "screen" ? null : place,
  scene,
  zone: options.zone ?? "London",
  camera: options.camera ?? "phone",
  shape: options.camera === "screen" ? "screen" : (options.shape ?? "landscape"),
});

const berlin = { zone: "Berlin" } as const;
const compact = { camera: "compact" } as const;

/** The photo library, oldest first. Tom's compact camera knows no place and no zone. */
export const pictures = [
  picture("kite", "2023-03-05 15:58:12", "hill", land.meadowKite),
  picture("coffee", "2023-03-12 10:21:40", "harbour", tables.coffee),
  picture("cake-ida-8", "2023-03-25 15:08:33", "flat", (d) =>
    tables.birthdayCake(d, {
      candles: 8,
      icing: "#5a2f22",
      sponge: "#6e3b26",
      on: "cherries",
      name: "Ida 8",
      wall: ["#3a3358", "#7a4a52"],
    }),
  ),
  picture(
    "ticket",
    "2023-04-07 13:52:05",
    "hamburg",
    (d) =>
      tickets.trainTicket(d, {
        from: "Hamburg Hbf",
        to: "Lübeck Hbf",
        day: "07.04.2023",
        leaves: "14:06",
        arrives: "14:52",
        train: "RE 8",
        seats: "Wagen 4, 31–34",
        price: "45,60 €",
        order: "Auftrag NB-7730-4412 · 2 Erw. 2 Ki.",
      }),
    berlin,
  ),
  picture("dusk", "2023-04-08 20:03:51", "travemuende", land.seaAtDusk, berlin),
  picture("easter", "2023-04-09 09:12:20", "luebeck", tables.easterBreakfast, berlin),
  picture("lane", "2023-04-11 12:40:02", null, streets.gabledLane, { ...compact, ...berlin }),
  picture("bike-blue", "2023-05-13 10:31:18", "flat", (d) =>
    things.bicycle(d, { frame: "#3b74b8", wall: "brick", bags: false }),
  ),
  picture("kitten", "2023-05-27 12:26:47", "flat", (d) => pets.catAtHome(d, { sill: false, kitten: true })),
  picture("desk", "2023-06-05 12:58:09", "studio", rooms.desk),
  picture("whiteboard", "2023-06-26 16:12:30", "studio", (d) =>
    notices.whiteboard(d, {
      title: "Quay Gardens – planting",
      left: ["1. trees: 6 birch, 2 alder", "2. rain beds east side", "3. bench by the lock"],
      right: ["due Fri 14 July", "budget £38k"],
    }),
  ),
  picture("kayak-shore", "2023-07-08 16:45:55", "harbour", (d) => lake(d, { kayak: "shore", hour: "day" })),
  picture("tent", "2023-08-06 07:24:13", "bala", (d) => lake(d, { tent: true, kayak: "shore", hour: "day" })),
  picture("kayak-mist", "2023-08-08 06:58:44", null, (d) => lake(d, { kayak: "paddled", hour: "morning" }), compact),
  picture("campfire", "2023-08-10 21:47:26", "bala", (d) => lake(d, { tent: true, fire: true, hour: "night" })),
  picture("summit", "2023-08-12 15:37:08", "eryri", (d) => land.mountains(d, { dawn: false, walkers: 4 })),
  picture("beach", "2023-08-19 13:05:39", "whitby", land.beachNoon),
  picture(
    "poster",
    "2023-08-29 17:41:10",
    "harbour",
    (d) =>
      notices.poster(d, {
        band: ["Small Hours", "Orchestra"],
        where: "TIDAL HALL",
        day: "SAT 16 SEPTEMBER",
        struck: "Sat 17 June",
        doors: "doors 7.30pm · all June tickets stay valid",
      }),
    { shape: "portrait" },
  ),
  picture("school-gate", "2023-09-05 09:09:52", "school", occasions.schoolGate),
  picture("concert", "2023-09-16 21:14:37", "harbour", occasions.concert),
  picture("autumn", "2023-10-01 15:02:21", "avenue", land.autumnPath),
  picture("sold", "2023-10-14 14:20:16", "alderRow", streets.terrace),
  picture("cake-jonas-5", "2023-11-02 16:24:05", "flat", (d) =>
    tables.birthdayCake(d, {
      candles: 5,
      icing: "#4f8fc4",
      sponge: "#e0b070",
      on: "rocket",
      name: "Jonas",
      wall: ["#1f2f52", "#4a5a7a"],
    }),
  ),
  picture("fireworks", "2023-11-05 19:31:58", "harbour", occasions.fireworks),
  picture("street-sign", "2023-11-10 12:22:31", "alderRow", (d) => notices.streetSign(d, "ALDER ROW", "BS3")),
  picture("boxes", "2023-11-10 15:14:49", "alderRow", house.movingBoxes),
  picture("rain", "2023-12-10 17:52:06", "centre", streets.rainyNight),
  picture("tree", "2023-12-24 17:38:14", "alderRow", rooms.christmasTree),
  picture("heating", "2024-01-14 06:52:18", null, screens.heatingApp, { camera: "screen" }),
  picture("wifi", "2024-01-24 18:05:27", "alderRow", (d) => notices.wifiCard(d, "AlderNest", "otter-lamp-quince-42")),
  picture("snow-forest", "2024-02-11 11:20:43", "harz", (d) => snow(d, { kind: "forest" }), berlin),
  picture("sledges", "2024-02-13 14:12:09", "harz", (d) => snow(d, { kind: "sledges" }), berlin),
  picture("plaster", "2024-02-15 10:04:55", "goslar", rooms.plaster, berlin),
  picture(
    "parking",
    "2024-03-14 18:44:30",
    "centre",
    (d) => notices.parkingSign(d, ["Permit holders R4", "or pay at machine", "Mon–Sat 9am–6pm", "Max stay 2 hours"]),
    { shape: "portrait" },
  ),
  picture("cake-ida-9", "2024-03-25 16:03:17", "alderRow", (d) =>
    tables.birthdayCake(d, {
      candles: 9,
      icing: "#f2b8c0",
      sponge: "#f0d49a",
      on: "strawberries",
      name: "Ida 9",
      wall: ["#5a3a4a", "#a06a60"],
    }),
  ),
  picture("kitchen-before", "2024-04-24 19:21:02", "alderRow", (d) => house.kitchen(d, { finished: false })),
  picture(
    "menu",
    "2024-05-11 12:48:36",
    "luebeck",
    (d) =>
      tickets.menu(d, {
        house: "Zum Alten Speicher",
        under: "Menü zum 75. Geburtstag von Werner",
        dishes: [
          ["Spargelcremesuppe", "8,50"],
          ["Matjes nach Hausfrauenart", "16,80"],
          ["Scholle Finkenwerder Art", "24,90"],
          ["Sauerbraten mit Klößen", "22,50"],
          ["Bratkartoffeln, Salat", "6,40"],
          ["Rote Grütze", "7,20"],
        ],
        foot: "Lübeck, 11. Mai 2024",
      }),
    { shape: "portrait", ...berlin },
  ),
  picture("party", "2024-05-11 21:20:11", null, tables.gardenParty, { ...compact, ...berlin }),
  picture("kitchen-after", "2024-05-18 10:19:45", "alderRow", (d) => house.kitchen(d, { finished: true })),
  picture("route", "2024-06-22 13:05:00", null, screens.mapRoute, { camera: "screen" }),
  picture("wedding", "2024-06-22 14:52:29", "thornwick", occasions.wedding),
  picture("barn", "2024-06-22 22:36:54", null, occasions.barnDance, compact),
  picture("lighthouse", "2024-06-23 10:47:03", "whitby", (d) => land.lighthouse(d, { storm: false })),
  picture("rufus", "2024-06-23 16:30:40", "whitby", (d) => pets.dog(d, { fireside: false })),
  picture("boarding", "2024-08-03 09:31:15", "airport", (d) =>
    tickets.boardingPass(d, {
      name: "FELDMANN / MARA",
      flight: "AW 2417",
      from: ["BRS", "Bristol"],
      to: ["LJU", "Ljubljana"],
      day: "03 AUG 24",
      leaves: "10:25",
      gate: "14",
      seat: "18C",
      boarding: "09:50",
    }),
  ),
  picture("bled", "2024-08-05 15:26:32", "bled", (d) => lake(d, { island: true, hour: "day" }), berlin),
  picture("dawn", "2024-08-08 05:51:47", null, (d) => land.mountains(d, { dawn: true, walkers: 2 }), {
    ...compact,
    ...berlin,
  }),
  picture("riverside", "2024-08-10 17:14:20", "ljubljana", streets.riverside, berlin),
  picture(
    "receipt",
    "2024-08-11 20:53:08",
    "ljubljana",
    (d) =>
      tickets.receipt(d, {
        shop: "Gostilna Pri Lipi",
        under: ["Adamicevo nabrezje 9", "Ljubljana", "11.08.2024  20:47  Miza 6"],
        items: [
          ["2x Idrijski zlikrofi", "31,00"],
          ["1x Postrv", "19,50"],
          ["2x Otroski zrezek", "17,00"],
          ["3x Limonada", "10,50"],
        ],
        total: ["SKUPAJ", "€ 78,00"],
        foot: ["Hvala za obisk!"],
      }),
    { shape: "portrait", ...berlin },
  ),
  picture("tomatoes", "2024-08-20 18:36:59", "alderRow", things.tomatoes),
  picture("books", "2024-09-01 19:02:34", "alderRow", rooms.bookshelf),
  picture("bike-green", "2024-09-14 17:24:11", "alderRow", (d) =>
    things.bicycle(d, { frame: "#3f8a5c", wall: "garden", bags: true }),
  ),
  picture("miso-sill", "2024-10-06 17:21:48", "alderRow", (d) => pets.catAtHome(d, { sill: true, kitten: false })),
  picture("prescription", "2024-10-10 11:58:26", "alderRow", (d) =>
    tickets.prescription(d, {
      practice: "Harbour Lane Surgery",
      who: "Tom Ashworth",
      day: "10 Oct 2024",
      rx: ["Amoxicillin 500 mg", "1 capsule 3x a day", "for 7 days"],
      foot: "Dr R. Osei  ·  take with food",
    }),
  ),
  picture("recipe", "2024-10-20 16:11:13", "alderRow", (d) =>
    notices.recipeCard(d, {
      title: "Omas Apfelkuchen",
      parts: ["150 g Butter", "150 g Zucker", "3 Eier", "200 g Mehl", "1 TL Backpulver", "6 Äpfel, Zimt"],
      steps: [
        "Butter + Zucker schaumig,",
        "Eier einzeln dazu.",
        "Mehl unterheben.",
        "Äpfel drauf, viel Zimt!",
        "45 Min. bei 180 Grad",
      ],
    }),
  ),
  picture("cake-jonas-6", "2024-11-03 15:11:57", "alderRow", (d) =>
    tables.birthdayCake(d, {
      candles: 6,
      icing: "#8fbf5c",
      sponge: "#7a4a2a",
      on: "dinosaur",
      name: "Jonas 6",
      wall: ["#22403a", "#5a7a52"],
    }),
  ),
  picture("choir", "2024-12-14 16:34:05", "centre", occasions.choir),
  picture("storm", "2024-12-25 11:12:42", "whitby", (d) => land.lighthouse(d, { storm: true })),
  picture("rufus-fire", "2024-12-25 15:41:33", "whitby", (d) => pets.dog(d, { fireside: true })),
  picture("cot", "2025-02-01 15:20:19", "cardiff", rooms.cot),
  picture("snowman", "2025-02-08 09:55:38", "alderRow", (d) => snow(d, { kind: "garden" })),
  picture("price", "2025-02-15 21:14:07", null, screens.priceNotice, { camera: "screen" }),
] as const satisfies readonly Picture[];

export type PictureId = (typeof pictures)[number]["id"];

const ids: ReadonlySet<string> = new Set(pictures.map(({ id }) => id));
export const isPictureId = (id: string): id is PictureId => ids.has(id);

/** How the camera was held: the part of the scene that is in the picture, in the scene's units, and turned left to right or not. */
export interface Framing {
  readonly crop: readonly [x: number, y: number, width: number, height: number];
  readonly mirror?: boolean;
}

const upright = (x: number): Framing => ({ crop: [x, 0, 787, 1050] });

/** Pictures that do not show the whole scene: close, wide, or with the phone upright. */
const framings: Partial<Record<PictureId, Framing>> = {
  lane: { crop: [0, 60, 1400, 933] },
  "kayak-shore": { crop: [560, 420, 840, 630] },
  "kayak-mist": { crop: [0, 117, 1400, 933] },
  campfire: { crop: [0, 0, 1400, 1050], mirror: true },
  summit: { crop: [0, 150, 1400, 788] },
  "cake-jonas-5": { crop: [322, 390, 840, 630] },
  fireworks: { crop: [250, 0, 787, 1050] },
  rain: upright(306),
  tree: upright(450),
  "snow-forest": upright(306),
  "cake-ida-9": { crop: [367, 50, 750, 1000] },
  party: { crop: [0, 100, 1400, 933] },
  barn: { crop: [0, 100, 1400, 933] },
  rufus: upright(330),
  bled: { crop: [0, 110, 1400, 788] },
  dawn: { crop: [0, 80, 1400, 933], mirror: true },
  "cake-jonas-6": { crop: [140, 150, 1200, 900] },
  storm: { crop: [0, 0, 1400, 1050], mirror: true },
  cot: upright(170),
};
const framingById: ReadonlyMap<string, Framing> = new Map(Object.entries(framings));
export const framingOf = (picture: Picture): Framing | null => framingById.get(picture.id) ?? null;
