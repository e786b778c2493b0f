import { type Mail, mail } from "./mail.ts";

/** Grandparents, school, health, the cat, holidays, the wedding, work and friends. (Data: longer than code should be.) */
export const familyMails: readonly Mail[] = [
  // Lübeck at Easter
  mail(
    "ostern-1",
    "2023-03-14 17:20",
    "helga",
    "Ostern bei uns",
    `Liebe Mara,

wir freuen uns so auf Euch! Opa hat schon die Betten bezogen. Wann kommt Ihr genau an, und essen die Kinder inzwischen Fisch? Ich würde Karfreitag gern Scholle machen.

Bringt warme Jacken mit, in Travemünde weht es noch kräftig.

Liebe Grüße
Mama`,
    { form: "latin1" },
  ),
  mail(
    "ostern-2",
    "2023-03-15 21:48",
    "mara",
    "Re: Ostern bei uns",
    `Liebe Mama,

wir landen am Freitag, 7. April, mittags in Hamburg und nehmen den Zug um 14:06, dann sind wir um 14:52 in Lübeck. Ida isst Scholle, Jonas isst Kartoffeln.

Bis bald, Kuss an Papa
Mara`,
    { to: ["helga"], reply: "ostern-1" },
  ),
  mail(
    "ostern-3",
    "2023-03-16 09:05",
    "helga",
    "Re: Ostern bei uns",
    `Dann holt Opa Euch am Gleis ab, er hat einen neuen Hut, Ihr erkennt ihn.

Mama`,
    { reply: "ostern-2", form: "base64" },
  ),
  mail(
    "nb-ticket",
    "2023-03-16 22:10",
    "nordbahn",
    "Ihre Buchung NB-7730-4412",
    `Vielen Dank für Ihre Buchung.

Auftrag: NB-7730-4412
Hamburg Hbf ab 14:06, Lübeck Hbf an 14:52, RE 8
Freitag, 07.04.2023, 2 Erwachsene, 2 Kinder
Wagen 4, Plätze 31 bis 34
Preis: 45,60 EUR`,
    {
      attach: [
        {
          name: "ticket-NB-7730-4412.pdf",
          kind: "pdf",
          content: [
            "Nordbahn Fahrkarte NB-7730-4412",
            "Hamburg Hbf 14:06 - Luebeck Hbf 14:52",
            "07.04.2023  RE 8  Wagen 4, 31-34",
            "45,60 EUR",
          ],
        },
      ],
    },
  ),
  mail(
    "ostern-danke",
    "2023-04-16 20:31",
    "mara",
    "Danke!",
    `Liebe Mama, lieber Papa,

wir sind gut zu Hause. Ida erzählt allen, dass man in Deutschland Eier auf einem Acker wirft. Das Bild vom Abend am Strand in Travemünde hängt jetzt am Kühlschrank.

Eure Mara`,
    { to: ["helga", "werner"], form: "base64" },
  ),
  // work
  mail(
    "job-1",
    "2023-03-20 08:30",
    "mara",
    "Application: landscape architect, Quay Gardens team",
    `Dear Ms Rahman,

I read your advertisement twice on the bus and missed my stop. For nine years I have drawn parks for the city; I would like to draw smaller ones, and see them planted. CV and portfolio attached.

Mara Feldmann`,
    {
      to: ["nadia"],
      attach: [
        {
          name: "cv-feldmann.txt",
          kind: "text",
          content: ["Mara Feldmann - landscape architect", "2014-2023 City Parks Department", "2013 diploma, Hannover"],
        },
      ],
    },
  ),
  mail(
    "job-2",
    "2023-03-27 16:05",
    "nadia",
    "Re: Application: landscape architect, Quay Gardens team",
    `Dear Mara,

Anyone who misses a stop for us should come and have tea. Would Friday 28 April at 14:00 suit? It is late, I know, but half the studio is on site until then.

Nadia`,
    { reply: "job-1", form: "flowed" },
  ),
  mail(
    "job-3",
    "2023-05-09 10:12",
    "joss",
    "Offer of employment",
    `Dear Mara,

We are delighted to offer you the post of landscape architect at Greenline Studio, starting Monday 5 June 2023. Four days a week (not Wednesdays), £41,500 a year, 26 days of holiday.

Please let us know by Friday.

Joss Whitmore, Greenline Studio`,
    {
      attach: [
        {
          name: "offer-greenline.pdf",
          kind: "pdf",
          content: [
            "Greenline Studio - offer of employment",
            "Landscape architect, 4 days a week",
            "41,500 GBP a year",
            "Start: Monday 5 June 2023",
          ],
        },
      ],
    },
  ),
  mail(
    "job-4",
    "2023-05-09 12:40",
    "mara",
    "Re: Offer of employment",
    `Dear Joss, dear Nadia,

Yes! With great pleasure. I start on 5 June and have told my plants.

Mara`,
    { to: ["joss"], cc: ["nadia"], reply: "job-3" },
  ),
  mail(
    "quay-1",
    "2023-06-23 09:14",
    "nadia",
    "Quay Gardens: planting plan",
    `Morning Mara,

The client wants the planting plan by Friday 14 July. Budget for plants is £38,000. Six birches are non-negotiable, he grew up under birches.

N.`,
    { form: "flowed" },
  ),
  mail(
    "quay-2",
    "2023-07-04 17:45",
    "nadia",
    "Re: Quay Gardens: planting plan",
    `Mara, the budget has been cut to £35,000 (from 38). Sorry. The deadline stays. Could the second rain bed wait for next year?

N.`,
    { reply: "quay-1", form: "flowed" },
  ),
  mail(
    "quay-3",
    "2023-07-05 09:02",
    "mara",
    "Re: Quay Gardens: planting plan",
    `It could. Or we plant it younger: smaller pots, same bed, £2,600 less. I'd rather have patience than a gap.

Mara`,
    { to: ["nadia"], reply: "quay-2" },
  ),
  mail(
    "quay-4",
    "2023-07-14 16:58",
    "mara",
    "Quay Gardens: plan as sent",
    `Dear Nadia,

The plan went off at 16:52. £34,870. Six birches, two alders, both rain beds.

Mara`,
    { to: ["nadia"] },
  ),
  mail(
    "quay-open",
    "2024-04-18 10:20",
    "nadia",
    "Quay Gardens opens on 9 May",
    `All,

The ribbon gets cut on Thursday 9 May at 11:00. Bring somebody you love and shoes you don't.

Nadia`,
    {
      to: ["mara"],
      cc: ["joss"],
      attach: [
        {
          name: "opening.ics",
          kind: "calendar",
          content: ["2024-05-09 11:00", "2024-05-09 12:30", "Opening of Quay Gardens", "Lock Street, Bristol"],
        },
      ],
    },
  ),
  mail(
    "lead-1",
    "2025-01-09 15:15",
    "nadia",
    "A question",
    `Mara,

Joss moves to Leeds in March. I would like you to lead the parks team from 3 March. £48,000 for the same four days. Think about it over the weekend.

Nadia`,
  ),
  mail(
    "lead-2",
    "2025-01-13 08:32",
    "mara",
    "Re: A question",
    `Dear Nadia,

I thought about it, Tom made a spreadsheet, and Ida said "obviously". Yes.

Mara`,
    { to: ["nadia"], reply: "lead-1" },
  ),
  // school
  mail(
    "school-trip-1",
    "2023-05-02 14:00",
    "school",
    "Year 3: trip to the aquarium",
    `Dear parents and carers,

Year 3 will visit the aquarium on Wednesday 24 May. Please pay £9.50 by 15 May. Packed lunch, no nuts.

Kingfisher Primary Office`,
  ),
  mail(
    "school-start",
    "2023-07-12 13:30",
    "school",
    "Reception 2023: first day",
    `Dear parents of new starters,

Reception begins on Tuesday 5 September 2023 at 9:15. In the first week children go home at 12:00. Jonas will be in Otter class.

Kingfisher Primary Office`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "adeyemi-1",
    "2023-09-19 16:40",
    "adeyemi",
    "Hello from Year 4",
    `Dear Ms Feldmann, dear Mr Ashworth,

Ida has settled in beautifully and corrects my German in assembly. Swimming is on Thursdays this term: please send a towel and a cap.

F. Adeyemi`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "parents-1",
    "2023-11-06 15:10",
    "school",
    "Parents' evening",
    `Your appointment with Ms Adeyemi: Tuesday 21 November 2023, 17:20, room 6.`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "parents-2",
    "2023-11-15 11:25",
    "school",
    "Parents' evening moved",
    `Dear parents,

Owing to a burst pipe the parents' evening of Tuesday 21 November moves to Wednesday 29 November. Times and rooms stay the same.

Kingfisher Primary Office`,
    { to: ["mara", "tom"], reply: "parents-1" },
  ),
  mail(
    "school-photo",
    "2024-03-01 12:00",
    "school",
    "World Book Day",
    `Thank you for the costumes! We counted eleven witches, one shelf and a boiler (well done, Jonas).`,
  ),
  mail(
    "pryce-1",
    "2024-09-10 16:05",
    "pryce",
    "Year 5 welcome",
    `Dear families,

Homework is set on Fridays and due on Wednesdays. The residential at Forest Edge takes place from 12 to 14 March 2025, cost £165, in three instalments if you wish.

D. Pryce`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "choir-1",
    "2024-11-25 13:20",
    "school",
    "Winter concert",
    `The choir sings at St Anne's Hall on Saturday 14 December 2024 at 16:00. Children arrive at 15:15, dark trousers or skirt, a colourful scarf. Mince pies afterwards.`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "nits",
    "2024-01-26 15:50",
    "school",
    "Head lice in Otter class",
    `Dear parents,

There are head lice in Otter class. Please check tonight, with conditioner and patience.

Kingfisher Primary Office`,
  ),
  mail(
    "swim-1",
    "2023-09-22 10:00",
    "swim",
    "Booking BF-611: Jonas Ashworth, beginners",
    `Saturday 9:30, teaching pool, ten lessons from 30 September 2023. £78.00, paid.`,
  ),
  mail(
    "swim-2",
    "2024-12-07 12:10",
    "swim",
    "Badge: 25 metres",
    `Congratulations! Jonas Ashworth swam 25 metres without stopping today. The badge costs £4 at the desk.`,
  ),
  mail(
    "library",
    "2024-04-09 06:00",
    "library",
    "Overdue: The Moon in the Cellar",
    `"The Moon in the Cellar" (borrower: Ida Ashworth) was due on 2 April. Renew online or bring it back. There are no charges for children.`,
  ),
  // cat
  mail(
    "paws-1",
    "2023-05-22 17:00",
    "paws",
    "Your visit was a success",
    `Dear Mara and Tom,

The small ginger one chose you. You can fetch her on Saturday 27 May between 10 and 12. The adoption fee is £95 and covers her first vaccination and chip (chip number 977 2000 0941 6672).

Avon Paws`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "vet-1",
    "2023-06-01 11:10",
    "vet",
    "Miso: second vaccination",
    `Appointment for Miso (cat, female, ginger, about 11 weeks): Thursday 15 June 2023, 16:40. Cost £52.`,
  ),
  mail(
    "vet-2",
    "2023-10-20 09:00",
    "vet",
    "Miso: neutering",
    `Miso is booked for Wednesday 25 October 2023. No breakfast, please. Drop off at 8:15, collect after 15:00. £118.`,
  ),
  mail(
    "vet-3",
    "2024-10-07 17:30",
    "vet",
    "Invoice: Miso check-up",
    `Check-up after three days shut in a shed: a little thin, otherwise in fine voice. 3.6 kg. £41.`,
  ),
  // health
  mail(
    "wrist-1",
    "2024-02-19 12:00",
    "fracture",
    "Ida Ashworth: fracture clinic",
    `Appointment for Ida Ashworth (wrist, left, plaster fitted 14 February in Goslar): Tuesday 26 March 2024, 10:30, Outpatients 3. Please bring the X-ray disc.`,
  ),
  mail(
    "wrist-2",
    "2024-03-20 09:15",
    "fracture",
    "Changed: Ida Ashworth, fracture clinic",
    `Your appointment has been changed from Tuesday 26 March to Thursday 28 March 2024, 9:10, Outpatients 3. We apologise for the inconvenience.`,
    {
      reply: "wrist-1",
      attach: [
        {
          name: "appointment.ics",
          kind: "calendar",
          content: ["2024-03-28 09:10", "2024-03-28 09:40", "Fracture clinic, Ida", "City Hospital, Outpatients 3"],
        },
      ],
    },
  ),
  mail(
    "wrist-3",
    "2024-03-28 13:00",
    "mara",
    "Plaster off",
    `Liebe Mama,

der Gips ist ab! Der Arm ist dünn und riecht, sagt Ida, "nach Keller". Sie darf ab Mai wieder klettern. Den Gips mit Opas Unterschrift will sie behalten.

Mara`,
    { to: ["helga"] },
  ),
  mail(
    "tom-ill",
    "2024-10-10 11:35",
    "surgery",
    "Prescription sent to your pharmacy",
    `A prescription for Thomas Ashworth was sent to Cotton Lane Pharmacy. Chest infection: rest, fluids, review in ten days if no better.`,
    { to: ["tom", "mara"] },
  ),
  mail(
    "hip-1",
    "2024-07-02 10:25",
    "werner",
    "Meine Hüfte",
    `Liebe Mara,

jetzt ist es amtlich: Ich bekomme am 16. September eine neue Hüfte, in der Uniklinik. Mama sagt, ich soll mich nicht so anstellen. Ich stelle mich nicht an, ich plane.

Dein Papa`,
    { form: "latin1" },
  ),
  mail(
    "hip-2",
    "2024-08-26 18:00",
    "werner",
    "Re: Meine Hüfte",
    `Liebe Mara,

kleine Änderung: Die Operation ist auf Montag, den 23. September verschoben. Der Professor ist auf einem Kongress. Mir recht, dann sehe ich noch das Hafenfest.

Papa`,
    { reply: "hip-1", form: "latin1" },
  ),
  mail(
    "hip-3",
    "2024-09-23 17:15",
    "helga",
    "Opa ist operiert",
    `Liebe Mara,

alles gut gegangen! Er ist wach und hat sich schon über den Kaffee beschwert. Zehn Tage Krankenhaus, dann drei Wochen Reha in Bad Malente.

Mama`,
    { form: "base64" },
  ),
  mail(
    "recipe",
    "2024-10-17 15:00",
    "helga",
    "Apfelkuchen",
    `Liebe Ida,

Du hast nach dem Rezept gefragt. Ich habe es auf eine Karte geschrieben und schicke sie mit der Post, Mama kann sie abfotografieren. Wichtig ist: viel Zimt und nicht zu früh aus dem Ofen.

Deine Oma`,
    { to: ["mara"] },
  ),
  // concert
  mail(
    "gig-1",
    "2023-03-31 12:01",
    "tidal",
    "Your tickets: Small Hours Orchestra",
    `Booking TH-58213
Small Hours Orchestra
Saturday 17 June 2023, doors 19:30
Row F, seats 11 and 12
2 x £34.00 = £68.00`,
  ),
  mail(
    "gig-2",
    "2023-06-06 17:30",
    "tidal",
    "New date: Small Hours Orchestra",
    `The singer has been told to rest her voice. The concert of Saturday 17 June moves to Saturday 16 September 2023. Doors 19:30, as before. Your tickets (booking TH-58213) stay valid; refunds until 30 June.`,
    { reply: "gig-1" },
  ),
  mail(
    "gig-3",
    "2023-06-06 18:12",
    "mara",
    "Fwd: New date: Small Hours Orchestra",
    `Priya! It's the 16th of September now. Please say you can.

M x`,
    { to: ["priya"], reply: "gig-2" },
  ),
  mail(
    "gig-4",
    "2023-06-06 19:40",
    "priya",
    "Re: Fwd: New date: Small Hours Orchestra",
    `I can. I have written it on the fridge, in the phone and on Dev.

P x`,
    { reply: "gig-3", form: "flowed" },
  ),
  // lake 2023
  mail(
    "camp-1",
    "2023-05-30 20:20",
    "camping",
    "Booking confirmation PL-0842",
    `Dear Mara,

Pitch 17, lakeside (no electricity)
Saturday 5 August to Saturday 12 August 2023, 7 nights
2 adults, 2 children, 1 kayak
£231.00, deposit of £60 received

Pen-y-Lan Lakeside Camping, Bala`,
  ),
  mail(
    "camp-2",
    "2023-07-24 09:30",
    "camping",
    "Re: Booking confirmation PL-0842",
    `Dear Mara,

Pitch 17 is under water after the rain, I'm afraid. We have put you on pitch 22, higher up and with a better view. Same price, and a bag of firewood on us.

Rhian, Pen-y-Lan`,
    { reply: "camp-1" },
  ),
  // wedding
  mail(
    "wed-1",
    "2023-12-27 11:11",
    "ellie",
    "We are doing it!",
    `Dearest brother, dearest Mara, dear small ones,

Sam asked, on the pier, in sleet. I said yes before he had found the ring. We'd like to get married on Saturday 8 June 2024 in Whitby, at the Abbey Terrace Hotel. Ida: flowers? Jonas: rings?

Ellie`,
    { to: ["tom", "mara"], cc: ["pat"] },
  ),
  mail(
    "wed-2",
    "2024-02-27 19:20",
    "ellie",
    "Re: We are doing it! (change of plan)",
    `Oh help. The Abbey Terrace has had a flood and the ballroom floor is gone until autumn. We found Thornwick Barn, out on the cliff, but they only have Saturday 22 June. So: 22 June, Thornwick Barn, two o'clock. Please say you haven't booked trains.

Ellie`,
    { to: ["tom", "mara"], cc: ["pat"], reply: "wed-1" },
  ),
  mail(
    "wed-3",
    "2024-02-27 20:02",
    "mara",
    "Re: We are doing it! (change of plan)",
    `Nothing booked, everything moved. 22 June it is. Ida (in plaster) wants to know if she may have a flower on the plaster, should it still be there. Jonas practises with curtain rings.

Mara`,
    { to: ["ellie"], cc: ["tom", "pat"], reply: "wed-2" },
  ),
  mail(
    "wed-4",
    "2024-06-10 21:15",
    "ellie",
    "Last things",
    `Dear all,

Ceremony at 14:00, please be there by 13:30. Park in the lower field, not at the barn (the farmer is strict). It is a cliff: bring a cardigan. Band from 20:00. Pat has the cake, do not let Rufus near it.

E & S`,
    { to: ["tom", "mara"], cc: ["pat"] },
  ),
  mail(
    "wed-5",
    "2024-06-25 09:40",
    "pat",
    "The day after the day after",
    `Dear Mara and Tom,

I have put my feet in the sea and they have forgiven me. Wasn't it lovely. 64 people and not one cross word. Jonas only dropped the rings once.

The blue cardigan is yours, I think? It was on the hay bale.

Love, Mum`,
    { to: ["mara", "tom"], form: "flowed" },
  ),
  // Opa's birthday
  mail(
    "opa75",
    "2024-02-28 18:30",
    "helga",
    "Opas 75. Geburtstag",
    `Ihr Lieben,

am Samstag, den 11. Mai wird Opa 75. Wir feiern mittags im "Alten Speicher" und abends bei uns im Garten. Bitte nichts Großes schenken, er wünscht sich nur ein Foto von allen.

Mama`,
    { to: ["mara", "tom"], form: "base64" },
  ),
  mail(
    "opa75-re",
    "2024-02-29 09:10",
    "mara",
    "Re: Opas 75. Geburtstag",
    `Wir kommen! Flüge sind gebucht, Donnerstag bis Sonntag. Tom bringt die Kamera mit.

Mara`,
    { to: ["helga"], cc: ["tom"], reply: "opa75" },
  ),
  // Slovenia
  mail(
    "fly-1",
    "2024-02-05 21:37",
    "aerwing",
    "Booking Q7XK2M: Bristol to Ljubljana",
    `Booking Q7XK2M, 2 adults, 2 children

Out: AW 2417, Saturday 3 August 2024, BRS 10:25, LJU 13:50
Back: AW 2418, Saturday 17 August 2024, LJU 14:05, BRS 15:40

Total: £612.40, two bags included`,
    {
      attach: [
        {
          name: "itinerary-Q7XK2M.pdf",
          kind: "pdf",
          content: [
            "Aerwing itinerary Q7XK2M",
            "AW 2417  3 Aug 2024  BRS 10:25 - LJU 13:50",
            "AW 2418  17 Aug 2024  LJU 14:05 - BRS 15:40",
            "Total 612.40 GBP",
          ],
        },
      ],
    },
  ),
  mail(
    "fly-2",
    "2024-06-19 10:00",
    "aerwing",
    "Schedule change: booking Q7XK2M",
    `The time of one of your flights has changed.

AW 2418, Saturday 17 August 2024, Ljubljana to Bristol
Old departure: 14:05
New departure: 17:40, arrival 19:15

You need not do anything.`,
    { reply: "fly-1" },
  ),
  mail(
    "maja-1",
    "2024-02-08 12:20",
    "maja",
    "Apartma Lipa, Bled",
    `Dear Mara,

With pleasure I confirm Apartma Lipa, first floor, from 3 to 10 August, 7 nights, 95 euros a night, so 665 euros. There is a cot for tomatoes: I mean a garden, please eat from it.

Maja`,
    { form: "base64" },
  ),
  mail(
    "maja-2",
    "2024-02-08 20:41",
    "mara",
    "Re: Apartma Lipa, Bled",
    `Dear Maja,

Thank you! Four of us, one afraid of cows. We arrive about 16:00 by bus.

Mara`,
    { to: ["maja"], reply: "maja-1" },
  ),
  mail(
    "maja-3",
    "2024-07-29 09:00",
    "maja",
    "Re: Apartma Lipa, Bled",
    `Dear Mara,

The key is under the blue watering can. The rowing boat to the island is 15 euros an hour at the lower jetty. Bring good shoes for Vršič, there was snow on the top until June.

Maja`,
    { reply: "maja-2" },
  ),
  // children, friends
  mail(
    "jonas-party-1",
    "2024-10-14 12:30",
    "mara",
    "Jonas turns six",
    `Dear parents,

Jonas would like to celebrate his sixth birthday with dinosaurs: Saturday 2 November, 14:00 to 16:30, at our house, 14 Alder Row. Please tell us about allergies.

Mara and Tom`,
    { to: ["olu", "priya"], cc: ["tom"] },
  ),
  mail(
    "jonas-party-2",
    "2024-10-28 21:02",
    "mara",
    "Re: Jonas turns six",
    `Dear parents,

One change: the party moves to Sunday 3 November, same time and place. The dinosaur (Tom) has a school concert on the Saturday.

Mara`,
    { to: ["olu", "priya"], cc: ["tom"], reply: "jonas-party-1" },
  ),
  mail(
    "priya-move",
    "2024-08-28 22:10",
    "priya",
    "Cardiff",
    `Mara, love,

It's decided: Dev has the job, we have a flat in Pontcanna, we go on 12 October. It is 55 minutes by train and I have already told them we'll need a season ticket for you.

Also, and this is why I haven't been drinking: January. The 22nd, they say.

P x`,
    { form: "flowed" },
  ),
  mail(
    "priya-move-re",
    "2024-08-28 22:31",
    "mara",
    "Re: Cardiff",
    `I am crying into the tomatoes. Both kinds of crying.

M x`,
    { to: ["priya"], reply: "priya-move" },
  ),
  mail(
    "baby",
    "2025-01-19 11:48",
    "priya",
    "Hello from Leela",
    `Leela Nair Shah
Sunday 19 January 2025, 4:12 in the morning
3.2 kg, three days early, furious and perfect

P, D & L`,
    { form: "flowed" },
  ),
  mail(
    "pat-xmas",
    "2024-11-20 10:15",
    "pat",
    "Christmas",
    `Dear both,

So it's settled, Christmas here in Whitby this year. Come on the 22nd and stay till the 28th if you can stand it. Rufus has his own stocking. Could Mara do the red cabbage again?

Love, Mum`,
    { to: ["mara", "tom"], form: "flowed" },
  ),
  mail(
    "pat-xmas-re",
    "2024-11-20 20:40",
    "tom",
    "Re: Christmas",
    `We'll be there on the 22nd. Back on the 27th though, I've a rehearsal on the 28th. Red cabbage is confirmed by the chef.

Tom`,
    { to: ["pat"], cc: ["mara"], reply: "pat-xmas" },
  ),
  mail(
    "tom-list",
    "2024-01-02 22:15",
    "tom",
    "List for 2024",
    `As discussed on the sofa:

1. boiler before it dies
2. kitchen
3. mountains
4. somebody else's wedding
5. grow a tomato

T`,
    { form: "flowed" },
  ),
  mail(
    "tom-choir",
    "2024-09-04 07:40",
    "tom",
    "Timetable",
    `Mondays choir, Tuesdays brass till six, Thursdays staff meeting. So Wednesdays are yours, Fridays mine, and the cat has the rest.

T`,
  ),
  mail(
    "passport",
    "2025-02-10 09:30",
    "tom",
    "Jonas' passport",
    `It runs out on 4 May 2025. I've got the form, we need two photos and 53 pounds 50. Can you do the photos on Wednesday?

T`,
  ),
  mail(
    "passport-re",
    "2025-02-10 12:15",
    "mara",
    "Re: Jonas' passport",
    `Will do, if he can keep his tongue in.

M`,
    { to: ["tom"], reply: "passport" },
  ),
  mail(
    "seed-swap",
    "2025-02-17 18:20",
    "olu",
    "Seed swap",
    `Seed swap at mine on Sunday 2 March, three o'clock. I have far too many sunflowers and I hear you have Slovenian tomatoes.

Olu`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "werner-hat",
    "2025-01-30 16:50",
    "werner",
    "Reha, Hut, Reise",
    `Liebe Mara,

ich gehe wieder ohne Stock, bis zum Hafen und zurück. Ostern kommen wir zu Euch: Hinflug am 16. April, zurück am 23. Ich bringe den Hut mit.

Papa`,
    { form: "latin1" },
  ),
];
