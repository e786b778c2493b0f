/** Everyone who writes. Addresses end in `.example`, which belongs to nobody (RFC 2606). */
export interface Correspondent {
  readonly name: string;
  readonly address: string;
  readonly zone: "London" | "Berlin";
  /** Shops and services write HTML and land in the Household mailbox. */
  readonly shop: boolean;
}

const person = (name: string, address: string, zone: Correspondent["zone"] = "London"): Correspondent => ({
  name,
  address,
  zone,
  shop: false,
});
const shop = (name: string, address: string, zone: Correspondent["zone"] = "London"): Correspondent => ({
  name,
  address,
  zone,
  shop: true,
});

export const people = {
  mara: person("Mara Feldmann", "mara@feldmann-ashworth.example"),
  tom: person("Tom Ashworth", "tom@feldmann-ashworth.example"),
  helga: person("Helga Feldmann", "helga.feldmann@luebeckpost.example", "Berlin"),
  werner: person("Werner Feldmann", "werner.feldmann@luebeckpost.example", "Berlin"),
  pat: person("Pat Ashworth", "pat.ashworth@whitbymail.example"),
  ellie: person("Ellie Ashworth", "ellie@ellieandsam.example"),
  priya: person("Priya Nair", "priya.nair@postbox.example"),
  olu: person("Olu Bankole", "olu.bankole@postbox.example"),
  nadia: person("Nadia Rahman", "nadia@greenline-studio.example"),
  joss: person("Joss Whitmore", "joss@greenline-studio.example"),
  adeyemi: person("Ms F. Adeyemi", "f.adeyemi@kingfisher-primary.example"),
  pryce: person("Mr D. Pryce", "d.pryce@kingfisher-primary.example"),
  school: person("Kingfisher Primary Office", "office@kingfisher-primary.example"),
  gareth: person("Gareth Pugh", "gareth@pughbuild.example"),
  harriet: person("Harriet Lane", "harriet@copperandlane.example"),
  amrit: person("Amrit Dhillon", "amrit@dhillonwebb.example"),
  maja: person("Maja Kovač", "maja@apartma-lipa.example", "Berlin"),
  marrow: shop("Marrow & Oak Kitchens", "orders@marrowandoak.example"),
  removals: shop("Two Tall Men Removals", "bookings@twotallmen.example"),
  hearthwell: shop("Hearthwell Heating", "office@hearthwell.example"),
  spoke: shop("Spoke & Sprocket", "workshop@spokeandsprocket.example"),
  driftline: shop("Driftline Outdoor", "orders@driftline.example"),
  whitegoods: shop("Fairway Appliances", "orders@fairway-appliances.example"),
  heron: shop("Heron Cycles", "hello@heroncycles.example"),
  police: shop("Avon Crime Desk", "noreply@avoncrimedesk.example"),
  larkfield: shop("Larkfield Insurance", "claims@larkfield.example"),
  vet: shop("Riverside Vets", "reception@riversidevets.example"),
  paws: shop("Avon Paws", "adopt@avonpaws.example"),
  surgery: shop("Harbour Lane Surgery", "noreply@harbourlane.example"),
  fracture: shop("City Hospital Outpatients", "outpatients@cityhospital.example"),
  tidal: shop("Tidal Hall Box Office", "tickets@tidalhall.example"),
  nordbahn: shop("Nordbahn", "buchung@nordbahn.example", "Berlin"),
  aerwing: shop("Aerwing", "bookings@aerwing.example"),
  camping: shop("Pen-y-Lan Lakeside Camping", "stay@penylan.example"),
  reelhouse: shop("Reelhouse", "billing@reelhouse.example"),
  fibrewick: shop("Fibrewick Broadband", "accounts@fibrewick.example"),
  parking: shop("City Parking Services", "noreply@cityparking.example"),
  garage: shop("Bedminster Motors", "service@bedminstermotors.example"),
  swim: shop("Bluefin Swim School", "lessons@bluefin.example"),
  basket: shop("Greengrocer & Co", "delivery@greengrocerco.example"),
  allotment: shop("The Allotment Post", "letter@allotmentpost.example"),
  listings: shop("Copper & Lane", "listings@copperandlane.example"),
  library: shop("City Libraries", "notices@citylibraries.example"),
} as const satisfies Record<string, Correspondent>;

export type PersonKey = keyof typeof people;
