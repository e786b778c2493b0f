import { type Mail, mail } from "./mail.ts";

/** The flat, the house on Alder Row, the boiler, the kitchen, and what was bought for them. (Data: longer than code should be.) */
export const houseMails: readonly Mail[] = [
  mail(
    "viewing-1",
    "2023-06-21 09:40",
    "harriet",
    "Viewing: 14 Alder Row, Saturday 24 June",
    `Dear Mara,

Lovely to speak just now. I've put you and Tom down to view 14 Alder Row on Saturday 24 June at 10:15. Three bedrooms, south-facing garden, kitchen "in need of love". Guide price £425,000.

I'll meet you at the front door.

Harriet Lane
Copper & Lane`,
  ),
  mail(
    "viewing-2",
    "2023-06-24 13:05",
    "mara",
    "Re: Viewing: 14 Alder Row, Saturday 24 June",
    `Hi Harriet,

Thank you for this morning. The children have already divided up the bedrooms, so you may guess that we liked it. Before we say a number: how old is the boiler, and is the damp patch behind the fridge known?

Mara`,
    { to: ["harriet"], cc: ["tom"], reply: "viewing-1" },
  ),
  mail(
    "viewing-3",
    "2023-06-26 10:12",
    "harriet",
    "Re: Viewing: 14 Alder Row, Saturday 24 June",
    `Hi Mara,

The vendor says the boiler was put in "around 2009" and has been serviced most years. The damp was a leaking washer hose, fixed last autumn. A survey will tell you more.

Happy to take an offer any time.
Harriet`,
    { reply: "viewing-2" },
  ),
  mail(
    "offer-1",
    "2023-07-03 11:20",
    "mara",
    "Offer for 14 Alder Row",
    `Dear Harriet,

We would like to offer £408,000 for 14 Alder Row. We have a mortgage in principle and a buyer for our flat in Totterdown, so the chain is short.

Kind regards
Mara and Tom`,
    { to: ["harriet"], cc: ["tom"] },
  ),
  mail(
    "offer-2",
    "2023-07-05 16:48",
    "harriet",
    "Re: Offer for 14 Alder Row",
    `Dear both,

The vendor has come back at £415,000 and would take the house off the market today at that figure.

Harriet`,
    { cc: ["tom"], reply: "offer-1" },
  ),
  mail(
    "offer-3",
    "2023-07-05 18:02",
    "mara",
    "Re: Offer for 14 Alder Row",
    `Harriet, yes please. £415,000. We are standing in the kitchen shrieking.

Mara`,
    { to: ["harriet"], cc: ["tom"], reply: "offer-2" },
  ),
  mail(
    "survey",
    "2023-08-24 15:30",
    "amrit",
    "Survey report, 14 Alder Row",
    `Dear Ms Feldmann,

The surveyor's report is attached in short form. Nothing alarming: two slipped roof tiles, an ageing boiler that he would replace within two years, and the kitchen floor is out of level by 18 mm.

Yours sincerely
Amrit Dhillon
Dhillon Webb Solicitors`,
    {
      cc: ["tom"],
      attach: [
        {
          name: "survey-summary.pdf",
          kind: "pdf",
          content: [
            "Survey summary - 14 Alder Row, BS3",
            "Roof: two slipped tiles, rear slope",
            "Heating: boiler 2009, replace within two years",
            "Kitchen: floor out of level by 18 mm",
            "Damp: historic, dry on the day",
          ],
        },
      ],
    },
  ),
  mail(
    "completion-1",
    "2023-09-28 14:10",
    "amrit",
    "Exchange and completion dates",
    `Dear Ms Feldmann, dear Mr Ashworth,

We exchanged contracts this afternoon. Completion is set for Friday 27 October 2023. Please arrange buildings insurance from today.

Amrit Dhillon`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "completion-2",
    "2023-10-16 17:25",
    "amrit",
    "Re: Exchange and completion dates",
    `Dear both,

I am sorry to bring this news: the seller's onward purchase is late and all sides have agreed to move completion from 27 October to Friday 10 November 2023. The price is not affected. Keys will be released around noon.

Amrit Dhillon`,
    { to: ["mara", "tom"], reply: "completion-1" },
  ),
  mail(
    "completion-3",
    "2023-10-16 18:40",
    "mara",
    "Re: Exchange and completion dates",
    `Dear Amrit,

Not your fault. I'll ring the removal people tonight. Please tell me the moment anything else shifts.

Mara`,
    { to: ["amrit"], cc: ["tom"], reply: "completion-2" },
  ),
  mail(
    "removals-1",
    "2023-10-02 12:00",
    "removals",
    "Your move is booked: 27 October 2023",
    `Hello Mara,

Booking reference: TTM-2291
Date: Friday 27 October 2023, arrival 8:00
From: 9 Hillcrest Terrace, Totterdown (2nd floor, no lift)
To: 14 Alder Row, BS3
Two men, one 7.5 t lorry, 25 boxes included
Price: £640, payable on the day

Two Tall Men Removals`,
  ),
  mail(
    "removals-2",
    "2023-10-17 08:55",
    "removals",
    "Changed: your move is now on 10 November 2023",
    `Hello Mara,

No problem at all. We have moved booking TTM-2291 to Friday 10 November 2023, arrival 8:00. The price stays at £640.

Two Tall Men Removals`,
  ),
  mail(
    "keys",
    "2023-11-10 12:06",
    "harriet",
    "Keys!",
    `It's yours. The keys are at our office on North Street, two for the front, one for the garden gate. Congratulations, neighbours of the best bakery in BS3.

Harriet`,
    { cc: ["tom"] },
  ),
  mail(
    "olu-hello",
    "2023-11-12 19:30",
    "olu",
    "Hello from number 16",
    `Dear new neighbours,

Welcome to Alder Row. I'm Olu at number 16, the one with the sunflowers. Bins are Tuesday (black and green swap weekly), the man at 12 practises trombone on Sundays and he is getting better. If you need a ladder, I have three.

Olu`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "olu-reply",
    "2023-11-12 21:04",
    "mara",
    "Re: Hello from number 16",
    `Dear Olu,

What a kind note to come home to among forty boxes. We will need the ladder. There will be biscuits in exchange.

Mara, Tom, Ida, Jonas and Miso (cat)`,
    { to: ["olu"], cc: ["tom"], reply: "olu-hello" },
  ),
  mail(
    "fibre-order",
    "2023-11-15 10:00",
    "fibrewick",
    "Order FW-40918: broadband at 14 Alder Row",
    `Thank you for your order.

Order number: FW-40918
Package: Fibre 150, 18 months
Monthly price: £29.00
Activation day: Thursday 30 November 2023
Engineer arrives between 8:00 and 13:00. Someone over 18 must be at home.`,
  ),
  mail(
    "fibre-live",
    "2023-11-30 13:40",
    "fibrewick",
    "You are online",
    `Your Fibre 150 line at 14 Alder Row is active since 12:52 today. Your router's name and password are on the card in the box.`,
  ),
  mail(
    "boiler-quote",
    "2024-01-15 14:20",
    "hearthwell",
    "Quote HW-1187: new boiler at 14 Alder Row",
    `Dear Ms Feldmann,

Following our visit this morning (fault E119, cracked heat exchanger, not worth repairing):

Supply and fit Calora C30 combi boiler: £1,940
Flue, filter, removal of old unit: £350
Total: £2,290 including VAT
Guarantee: 10 years with yearly service

We could fit it on Monday 22 January.

Hearthwell Heating`,
    {
      attach: [
        {
          name: "quote-HW-1187.pdf",
          kind: "pdf",
          content: [
            "Hearthwell Heating",
            "Quote HW-1187",
            "Calora C30 combi boiler, supplied and fitted: 1,940.00 GBP",
            "Flue, filter, removal: 350.00 GBP",
            "Total 2,290.00 GBP incl. VAT",
          ],
        },
      ],
    },
  ),
  mail(
    "boiler-yes",
    "2024-01-15 15:02",
    "mara",
    "Re: Quote HW-1187: new boiler at 14 Alder Row",
    `Yes please, Monday 22 January. It is 11 degrees in the living room and my mother-in-law's knitting has run out.

Mara Feldmann`,
    { to: ["hearthwell"], reply: "boiler-quote" },
  ),
  mail(
    "boiler-invoice",
    "2024-01-23 09:15",
    "hearthwell",
    "Invoice HW-1187",
    `Invoice for work done on 22 January 2024: Calora C30 combi boiler, fitted.

Amount due: £2,290
Serial number: C30-774120
Guarantee until 22 January 2034, provided it is serviced each January.`,
    {
      attach: [
        {
          name: "invoice-HW-1187.pdf",
          kind: "pdf",
          content: [
            "Hearthwell Heating - Invoice HW-1187",
            "22 January 2024",
            "Total 2,290.00 GBP",
            "Serial number C30-774120",
          ],
        },
      ],
    },
  ),
  mail(
    "boiler-service",
    "2025-01-13 10:30",
    "hearthwell",
    "Your yearly service: Tuesday 21 January 2025",
    `Dear Ms Feldmann,

Your Calora C30 is due. We have booked Tuesday 21 January 2025, 8:00 to 10:00. The service costs £95 and keeps your 10-year guarantee.`,
  ),
  mail(
    "kitchen-quote",
    "2024-02-02 11:00",
    "marrow",
    "Your kitchen: quotation MO-3306",
    `Dear Mara and Tom,

Thank you for coming to the showroom. Quotation MO-3306, "Hedgerow" shaker units in Fern Green, oak worktop, brass handles:

Units and worktop: £7,350
Delivery and fitting: £1,550
Total: £8,900

The quotation is valid for 30 days.`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "kitchen-colour",
    "2024-02-19 20:15",
    "mara",
    "Re: Your kitchen: quotation MO-3306",
    `Hello,

Two changes after a long evening with paint cards: please make it Sage, not Fern Green, and add the tall larder unit by the door. Could you send a new total?

Mara`,
    { to: ["marrow"], cc: ["tom"], reply: "kitchen-quote" },
  ),
  mail(
    "kitchen-order",
    "2024-02-23 10:45",
    "marrow",
    "Order confirmation MO-3306 (revised)",
    `Dear Mara and Tom,

Order MO-3306, revised:
Colour: Sage (replaces Fern Green)
Added: tall larder unit, £580
New total: £9,480 (was £8,900)
Deposit paid: £2,500
Delivery: week of 15 April 2024

Marrow & Oak Kitchens`,
    { to: ["mara", "tom"], reply: "kitchen-colour" },
  ),
  mail(
    "gareth-1",
    "2024-03-04 18:30",
    "gareth",
    "Alder Row kitchen",
    `Hi Mara, Hi Tom

Can start on the strip-out Mon 8 April, about five weeks all in. Day rate as we said. I'll bring my own kettle.

Gareth`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "gareth-2",
    "2024-04-03 07:50",
    "gareth",
    "Re: Alder Row kitchen",
    `Morning both

Bad news, the job in Clifton has found rot and I cant leave them without a roof. I'll have to push you back two weeks, so Monday 22 April instead of the 8th. Kitchen people can hold the delivery, I rang them.

Sorry
Gareth`,
    { to: ["mara", "tom"], reply: "gareth-1" },
  ),
  mail(
    "gareth-3",
    "2024-04-03 12:31",
    "mara",
    "Re: Alder Row kitchen",
    `Hi Gareth,

Better you tell us now. 22 April is fine, we'll eat through the freezer until then. Could you bring the level? The survey says the floor is out by 18 mm.

Mara`,
    { to: ["gareth"], cc: ["tom"], reply: "gareth-2" },
  ),
  mail(
    "gareth-4",
    "2024-05-17 16:10",
    "gareth",
    "All done",
    `That's the last handle on. Leave the worktop oil 24 hours before you put anything wet on it. Snag list: one drawer front to swap when it comes, I'll pop in.

Invoice attached, £4,120 for labour as agreed. Pleasure working for people who make cake.

Gareth`,
    {
      to: ["mara", "tom"],
      attach: [
        {
          name: "pugh-invoice-0524.txt",
          kind: "text",
          content: [
            "G. Pugh Building",
            "Kitchen, 14 Alder Row, 22 April - 17 May 2024",
            "Labour: 4,120.00 GBP",
            "Paid by transfer, thank you",
          ],
        },
      ],
    },
  ),
  mail(
    "drawer",
    "2024-06-03 09:00",
    "marrow",
    "Your replacement drawer front",
    `The replacement drawer front (Sage, 600 mm) for order MO-3306 left our workshop today. No charge.`,
  ),
  mail(
    "dish-order",
    "2024-05-14 20:41",
    "whitegoods",
    "Order FA-88213: Nordfjord D45 dishwasher",
    `Thank you for your order.

Order number: FA-88213
Nordfjord D45 built-in dishwasher: £449.00
Delivery and connection: £25.00
Total: £474.00
Delivery: Monday 20 May 2024
Guarantee: 5 years, registered to Mara Feldmann`,
    {
      attach: [
        {
          name: "receipt-FA-88213.pdf",
          kind: "pdf",
          content: [
            "Fairway Appliances",
            "Order FA-88213, 14 May 2024",
            "Nordfjord D45 dishwasher 449.00 GBP",
            "Delivery and connection 25.00 GBP",
            "Total 474.00 GBP",
            "Guarantee 5 years",
          ],
        },
      ],
    },
  ),
  mail(
    "dish-fault",
    "2024-10-08 08:12",
    "mara",
    "Nordfjord D45 shows F12",
    `Hello,

Our dishwasher (order FA-88213, bought in May) stops after ten minutes and shows F12. The filter is clean. It is under guarantee, so could you send somebody?

Mara Feldmann, 14 Alder Row`,
    { to: ["whitegoods"] },
  ),
  mail(
    "dish-visit-1",
    "2024-10-09 10:20",
    "whitegoods",
    "Engineer visit: Tuesday 15 October",
    `Thank you for your message. F12 means that the circulation pump does not turn. An engineer will visit on Tuesday 15 October between 8:00 and 12:00. The repair is covered by your guarantee. Case R-5127.`,
    { reply: "dish-fault" },
  ),
  mail(
    "dish-visit-2",
    "2024-10-14 15:55",
    "whitegoods",
    "Changed: engineer visit now Friday 18 October",
    `We are sorry: the spare pump has not reached us. Your visit (case R-5127) has moved from Tuesday 15 October to Friday 18 October, 12:00 to 16:00.`,
    { reply: "dish-visit-1" },
  ),
  mail(
    "dish-done",
    "2024-10-18 15:20",
    "whitegoods",
    "Repair report R-5127",
    `Circulation pump replaced, test run in order. Cost to you: £0.00 (guarantee).`,
    { reply: "dish-visit-2" },
  ),
  mail(
    "kayak-order",
    "2023-06-30 21:15",
    "driftline",
    "Order DL-20417: your kayak is on its way",
    `Hello Mara,

Order number: DL-20417
Driftline Otter 12, colour red: £389.00
Two-part paddle: £45.00
Buoyancy vest, adult: £39.00
Total: £473.00
Delivery: Thursday 6 July 2023
Hull guarantee: 3 years from delivery`,
  ),
  mail(
    "kayak-ship",
    "2023-07-05 07:30",
    "driftline",
    "DL-20417: out for delivery tomorrow",
    `Your Otter 12 travels on a lorry with a tail lift. It is 3.65 m long: please clear the stairs.`,
  ),
  mail(
    "bike-repair-1",
    "2023-05-10 12:30",
    "spoke",
    "Workshop quote: blue Ridley",
    `Hi Tom and Mara,

Had a look at the blue bike. It needs a new bottom bracket (£32), brake pads front and rear (£18) and truing of the rear wheel (£18). £68 all in, ready on Saturday 13 May.

Spoke & Sprocket`,
    { to: ["tom", "mara"] },
  ),
  mail(
    "bike-repair-2",
    "2023-05-13 10:05",
    "spoke",
    "Your bike is ready",
    `The blue one is done: £68, paid in the shop, thank you. The chain has about 500 miles left in it.`,
    { to: ["tom", "mara"], reply: "bike-repair-1" },
  ),
  mail(
    "bike-stolen",
    "2024-09-12 18:22",
    "police",
    "Crime report received: reference AV-24-90631",
    `We have recorded your report of a stolen bicycle.

Reference: AV-24-90631
When: Thursday 12 September 2024, between 08:30 and 16:45
Where: bicycle stands, Temple Gate station
What: blue bicycle, basket in front, frame number SP11870
Reported by: Thomas Ashworth`,
    { to: ["tom", "mara"] },
  ),
  mail(
    "bike-claim-1",
    "2024-09-13 09:30",
    "larkfield",
    "Claim LK-771204",
    `We have opened claim LK-771204 for the theft of a bicycle (crime reference AV-24-90631). Please send us a receipt or a photograph of the bicycle and its lock.`,
    { to: ["tom", "mara"] },
  ),
  mail(
    "bike-claim-2",
    "2024-09-13 20:05",
    "mara",
    "Re: Claim LK-771204",
    `Hello,

The receipt is long gone (it was bought second hand in 2016), but I have a photograph from 13 May 2023, the day it came back from the workshop, and the workshop's bill. Both bikes and locks are named in our policy.

Mara Feldmann`,
    { to: ["larkfield"], cc: ["tom"], reply: "bike-claim-1" },
  ),
  mail(
    "bike-claim-3",
    "2024-09-27 11:45",
    "larkfield",
    "Re: Claim LK-771204",
    `Your claim has been settled. We pay £450 less the excess of £100, so £350, within five working days.`,
    { to: ["tom", "mara"], reply: "bike-claim-2" },
  ),
  mail(
    "heron-order",
    "2024-09-14 17:10",
    "heron",
    "Order HC-3092: Heron Tourer, green",
    `Hi Tom,

Order number: HC-3092
Heron Tourer, size L, moss green: £720.00
Yellow panniers, pair: £64.00
D-lock, gold rated: £0.00 (with our sympathy)
Total: £784.00
Free first service after six weeks. Frame guarantee: lifetime.`,
    { to: ["tom", "mara"] },
  ),
  mail(
    "mot-1",
    "2024-03-11 16:20",
    "garage",
    "MOT result: not passed",
    `Your car did not pass today: two front tyres below the limit, nearside drop link worn.

Two tyres fitted: £176
Drop link: £84
Retest: £0
MOT: £52
Total if you go ahead: £312`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "mot-2",
    "2024-03-12 15:02",
    "garage",
    "MOT passed",
    `All done, passed at the retest. £312 paid by card. Next MOT due by 12 March 2025.`,
    { to: ["mara", "tom"], reply: "mot-1" },
  ),
  mail(
    "pcn-1",
    "2024-03-16 08:00",
    "parking",
    "Penalty charge BR55190827",
    `A penalty charge was issued on Thursday 14 March 2024 at 18:20 in Cotton Lane, zone R4.

Amount: £70, reduced to £35 if paid within 14 days.`,
  ),
  mail(
    "pcn-2",
    "2024-03-16 10:41",
    "mara",
    "Appeal against BR55190827",
    `Dear Sir or Madam,

The sign in Cotton Lane says Monday to Saturday, 9am to 6pm. Your notice says 18:20. I took a photograph of the sign that evening.

Mara Feldmann`,
    { to: ["parking"], reply: "pcn-1" },
  ),
  mail(
    "pcn-3",
    "2024-04-05 09:12",
    "parking",
    "Appeal BR55190827: accepted",
    `We have looked at your appeal and the charge is cancelled. You have nothing to pay.`,
    { reply: "pcn-2" },
  ),
  mail(
    "shed",
    "2024-10-06 18:44",
    "olu",
    "The prisoner of shed no. 16",
    `Dear Mara,

As I told the children at the door: Miso had been in my shed since Thursday, on the sunflower seed sacks. She walked out as if she paid the rent. I'm so sorry, I had closed it at noon on the 3rd and not looked behind me.

Olu`,
  ),
  mail(
    "shed-re",
    "2024-10-06 20:10",
    "mara",
    "Re: The prisoner of shed no. 16",
    `Dear Olu,

Three nights of posters and she was four metres away! Please don't be sorry. Jonas has slept with her food bowl. Come for soup on Tuesday.

Mara`,
    { to: ["olu"], reply: "shed" },
  ),
  mail(
    "party-wall",
    "2025-01-27 19:05",
    "olu",
    "Fence",
    `Dear both,

The storm has had two of our fence panels. I know a man who does larch at £38 a panel, six panels for the whole run. Shall we share it, £114 each?

Olu`,
    { to: ["mara", "tom"] },
  ),
  mail(
    "party-wall-re",
    "2025-01-28 08:15",
    "mara",
    "Re: Fence",
    `Yes, gladly, £114 each. Any weekend in March.

Mara`,
    { to: ["olu"], cc: ["tom"], reply: "party-wall" },
  ),
];
