import { seededRandom } from "../random.ts";
import { type Mail, mail } from "./mail.ts";

/** What comes every week or month and is mostly not read: receipts, deliveries, newsletters. Noise, but consistent noise. */

const two = (value: number): string => String(value).padStart(2, "0");
const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

function months(): { year: number; month: number; name: string; key: string }[] {
  return Array.from({ length: 24 }, (_, i) => {
    const year = 2023 + Math.floor((i + 2) / 12);
    const month = ((i + 2) % 12) + 1;
    return { year, month, name: monthNames[month - 1] ?? "", key: `${year}-${two(month)}` };
  });
}

const letters: readonly (readonly [string, string, string])[] = [
  [
    "2023-03-09",
    "Sow now, thank yourself in July",
    "Chillies and tomatoes want a warm window sill this week. Do not touch the beans.",
  ],
  [
    "2023-04-20",
    "The last frost is never the last",
    "Keep fleece at hand until the middle of May, whatever the neighbours do.",
  ],
  ["2023-05-18", "Slugs: a truce", "Beer traps, copper rings, a torch at ten in the evening. We tried all three."],
  [
    "2023-07-13",
    "Water the soil, not the leaf",
    "Early, deeply and seldom. A tomato that drinks daily never learns to dig.",
  ],
  ["2023-09-14", "Saving seed", "Dry it in paper, label it at once. You will not remember in March."],
  ["2023-11-23", "Leaf mould, the slow gold", "A wire ring, a heap of leaves, two winters of doing nothing."],
  ["2024-01-18", "Catalogues and self-deception", "Nobody needs nine kinds of courgette."],
  ["2024-02-22", "Chit your potatoes", "Egg boxes, a cool light room, eyes up."],
  ["2024-04-11", "First earlies in", "Ten centimetres deep, thirty apart, and a prayer against the frost."],
  ["2024-06-13", "Pinch, tie, pinch", "Side shoots off your cordons every Sunday. Put them in water: free plants."],
  ["2024-08-15", "Blight watch", "Two warm wet days are enough. Take off the lower leaves and hope."],
  ["2024-10-10", "Garlic goes in", "The fattest cloves, pointed end up, before the clocks change."],
  ["2024-12-05", "The tool you will use", "A hori-hori, a good hose, and a chair."],
  ["2025-02-06", "Light before warmth", "Leggy seedlings want light. Turn the tray, and wait another week."],
];

const gigs: readonly (readonly [string, string, string])[] = [
  ["2023-03-17", "Spring at Tidal Hall", "On sale: Small Hours Orchestra, The Brass Tacks, an evening of tape loops."],
  [
    "2023-08-11",
    "Autumn at Tidal Hall",
    "Rescheduled: Small Hours Orchestra, 16 September. New: Paper Boats, 4 October.",
  ],
  ["2024-01-12", "Winter warmers", "Ukulele night, 2 February. Silent film with live cello, 16 February."],
  ["2024-05-03", "Summer on the quay", "Open air on Thursdays in July, bring a cushion."],
  ["2024-09-06", "New season", "The Brass Tacks, 11 October. Small Hours Orchestra return on 5 April 2025."],
  ["2025-01-17", "Early birds", "Tickets for Small Hours Orchestra, 5 April 2025, from £38."],
];

const houses: readonly (readonly [string, string, string])[] = [
  [
    "2023-04-06",
    "Five new homes in BS3",
    "Two-bed flat on Raleigh Road, £325,000. Terrace on Stackpool Road, £465,000. Garage in need of imagination, £38,000.",
  ],
  ["2023-05-12", "Gardens, gardens", "A south-facing garden on Beauley Road, house included, £440,000."],
  [
    "2023-06-19",
    "New this week: Alder Row",
    "14 Alder Row, three bedrooms, south-facing garden, guide price £425,000. Viewings from Saturday.",
  ],
  ["2024-06-20", "What is your home worth?", "Prices in BS3 rose by 2.1 % since last summer."],
];

const groceries = [
  "Oats 1 kg|1.45",
  "Milk 2 l|1.65",
  "Butter 250 g|2.25",
  "Bananas|0.95",
  "Carrots 1 kg|0.85",
  "Spaghetti 500 g|1.10",
  "Red lentils 1 kg|2.40",
  "Tinned tomatoes x4|2.80",
  "Cat food, box of 12|5.50",
  "Apples, bag|2.10",
  "Cheddar 400 g|3.60",
  "Eggs x12|3.15",
  "Sourdough loaf|3.20",
  "Olive oil 500 ml|6.95",
  "Rice 1 kg|2.15",
  "Yoghurt 500 g|1.55",
  "Cinnamon|1.20",
  "Red cabbage|1.35",
  "Washing powder|6.00",
] as const;

export function regularMails(seed: number): Mail[] {
  const mails: Mail[] = [];
  const random = seededRandom(seed, "regular mail");
  for (const { year, month, name, key } of months()) {
    mails.push(
      mail(
        `reel-${key}`,
        `${key}-03 04:1${month % 10}`,
        "reelhouse",
        `Your Reelhouse receipt for ${name} ${year}`,
        `Family plan, ${name} ${year}: £9.99
Paid by card ending 4471. Receipt RH-${year}${two(month)}-3308.

Thank you for watching.`,
      ),
    );
  }
  mails.push(
    mail(
      "reel-price",
      "2025-01-28 10:00",
      "reelhouse",
      "Your plan is changing",
      `From 1 March 2025 the Family plan costs £12.99 a month (until now £9.99).

You can change or cancel your plan at any time in Account.`,
    ),
  );
  for (const { year, name, key } of months().filter(
    (m) => m.year * 12 + m.month >= 2023 * 12 + 12 && m.month % 3 === 0,
  )) {
    mails.push(
      mail(
        `fibre-${key}`,
        `${key}-01 06:05`,
        "fibrewick",
        `Your Fibrewick bill, ${name} ${year}`,
        `Fibre 150, order FW-40918: £29.00
Collected by direct debit on the 8th.`,
      ),
    );
  }
  for (const { key, name, year } of months().filter((_, i) => i % 2 === 0)) {
    const bought = Array.from({ length: random.whole(6, 9) }, () => random.pick(groceries)).filter(
      (item, i, all) => all.indexOf(item) === i,
    );
    const total = bought.reduce((sum, item) => sum + Number(item.split("|")[1]), 3.5);
    mails.push(
      mail(
        `basket-${key}`,
        `${key}-${two(random.whole(8, 26))} 19:4${random.whole(0, 9)}`,
        "basket",
        `Your delivery, ${name} ${year}`,
        `${bought.map((item) => item.replace("|", "  £")).join("\n")}
Delivery  £3.50
Total  £${total.toFixed(2)}`,
      ),
    );
  }
  for (const [day, subject, text] of letters) {
    mails.push(
      mail(
        `allotment-${day}`,
        `${day} 07:00`,
        "allotment",
        `The Allotment Post: ${subject}`,
        `${subject}

${text}

You get this letter because you once bought a packet of beans. Unsubscribe at any time.`,
      ),
    );
  }
  for (const [day, subject, text] of gigs)
    mails.push(
      mail(
        `whatson-${day}`,
        `${day} 11:30`,
        "tidal",
        subject,
        `${text}

Tidal Hall, Harbourside, Bristol`,
      ),
    );
  for (const [day, subject, text] of houses)
    mails.push(mail(`listing-${day}`, `${day} 08:15`, "listings", subject, text));
  return mails;
}
