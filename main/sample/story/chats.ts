import { conversation } from "./chat.ts";
import { isPictureId } from "./pictures.ts";

/** The family group, as exported from an Android phone. Oma writes German. (Data: longer than code should be.) */
export const familyChat = conversation(
  "Feldmann-Ashworths",
  { M: "Mara", T: "Tom", P: "Granny Pat", H: "Oma Helga", E: "Ellie" },
  isPictureId,
  `
2023-03-04 18:02 -: Messages and calls are end-to-end encrypted. No one outside of this chat, not even WhatsApp, can read or listen to them.
2023-03-04 18:03 -: Mara created group "Feldmann-Ashworths"
2023-03-04 18:05 M: so now we are all in one place. Hallo Mama, hello Pat, hello Ellie!
2023-03-04 18:09 P: Hello everyone. Which button is the camera
2023-03-04 18:10 E: the one you just covered with your thumb mum
2023-03-04 18:31 H: Hallo ihr Lieben, ich bin auch da! Opa liest mit.
2023-03-05 16:44 M: [kite] kite is UP. Jonas let go twice
2023-03-05 16:50 P: Oh the wind! Lovely
2023-03-05 16:51 T: it took me 40 minutes to get it out of the tree between picture one and picture two
2023-03-25 15:12 M: [cake-ida-8] eight!!
2023-03-25 15:20 H: Alles Gute zum Geburtstag, liebe Ida! Acht Jahre, unglaublich. Der Kuchen sieht herrlich aus
2023-03-25 15:22 P: Happy birthday my darling girl. Did the parcel come?
2023-03-25 15:40 T: it came, she is wearing the head torch at the table
2023-04-07 15:03 M: sitting in Lübeck, Opa has the hat. It is a very large hat
2023-04-07 15:10 T: he says it is "windfest"
2023-04-08 20:41 M: [dusk] Travemünde just now. Ida and me, feet in, 8 degrees
2023-04-08 20:55 E: ok that's unfair
2023-04-08 21:02 P: Beautiful. Put your socks on
2023-04-09 11:15 H: Frohe Ostern! Die Kinder haben 31 Eier gefunden, versteckt hatte ich 32.
2023-04-10 08:20 T: found egg number 32. do not ask
2023-05-09 10:30 M: I GOT THE JOB
2023-05-09 10:31 T: !!!!!!!!
2023-05-09 10:33 P: Well done Mara! When do you start?
2023-05-09 10:36 M: 5 June. four days a week, Wednesdays off
2023-05-09 10:52 H: Wie schön! Wir stoßen heute Abend auf Dich an.
2023-05-13 11:20 T: bike's back. 68 quid but she runs like butter
2023-05-27 12:30 M: [kitten] everyone, this is Miso
2023-05-27 12:33 E: MISO
2023-05-27 12:34 P: She is a sofa cat already
2023-05-27 12:48 H: Ach wie süß! Ist das ein Kater?
2023-05-27 12:50 M: Nein, eine Sie. Rote Katzen sind fast immer Kater, sie nicht
2023-06-05 08:15 T: first day photo please
2023-06-05 13:02 M: [desk] my desk!! with actual window
2023-06-24 11:32 M: we saw a house. it has a garden. I am trying to be calm
2023-06-24 11:35 T: she is not calm
2023-07-05 18:20 T: offer accepted, 415. we are going to own a damp patch
2023-07-05 18:25 P: Oh my goodness! Congratulations!
2023-07-05 18:44 H: Herzlichen Glückwunsch! Opa fragt, ob es einen Keller gibt.
2023-07-08 17:10 M: [kayak-shore] the red one has arrived and has been in water
2023-07-08 17:22 E: name??
2023-07-08 17:25 M: Jonas says Ketchup
2023-08-05 19:48 T: pitch 22 and not 17, because 17 is a pond now. view is mega though
2023-08-06 07:31 M: [tent] good morning from Bala
2023-08-08 08:05 T: [kayak-mist] Ketchup at 7 am. nobody else on the lake
2023-08-10 22:14 M: marshmallows: 2 bags. wasps: 0. songs: too many
2023-08-12 15:55 T: top! Ida carried her own rucksack all the way, Jonas carried a stick
2023-08-12 16:20 P: Proud of them both
2023-09-05 09:31 M: [school-gate] and in they went. I'm fine. totally fine
2023-09-05 09:33 T: she is not fine
2023-09-05 09:50 H: Unser kleiner Jonas ein Schulkind! Hat er eine Schultüte bekommen?
2023-09-05 09:58 M: Natürlich, die einzige in Bristol
2023-10-14 14:26 T: [sold] they put the sign up
2023-10-16 19:02 M: completion has moved to 10 November. not the 27th. breathe
2023-10-16 19:05 T: so we unpack the kettle again
2023-10-16 19:30 P: I'll come on the 9th then and take the children
2023-11-02 16:30 M: [cake-jonas-5] five, and ready for launch
2023-11-02 16:41 H: Alles Liebe zum Geburtstag, lieber Jonas! Dein Paket kommt leider erst morgen.
2023-11-10 12:20 T: KEYS
2023-11-10 12:24 M: [street-sign] we live here
2023-11-10 18:40 T: [boxes] 61 boxes. the cat has chosen "Kitchen"
2023-11-10 18:52 E: two tall men: were they tall?
2023-11-10 18:54 T: one was tall
2023-12-20 10:10 H: Wir kommen am 23. um 16:20 Uhr in Bristol an. Opa bringt den Christstollen im Handgepäck mit.
2023-12-24 17:45 M: [tree] Frohe Weihnachten! First one in the new house
2023-12-24 17:58 P: It's perfect. Rufus says woof
2023-12-24 18:30 E: something to tell you all on wednesday. that's all. byeee
2023-12-27 11:20 M: ELLIE
2023-12-27 11:21 T: finally
2023-12-27 11:30 P: I knew since Boxing Day and I told nobody. Nobody!
2024-01-14 07:02 T: boiler's dead. E119. 11 degrees in the living room
2024-01-14 07:10 P: Wrap the children up. I can post hot water bottles
2024-01-15 19:15 T: new boiler will be 2450ish all in, they can do monday
2024-01-22 16:48 M: WARM
2024-02-05 21:50 T: flights booked! Slovenia in August, 3rd to 17th
2024-02-11 12:02 M: [snow-forest] Harz! half a metre
2024-02-13 14:40 T: [sledges] Ida and me down the big one. twice the speed of sound
2024-02-14 16:05 M: Ida is in A&E in Goslar. left wrist. the tree is fine
2024-02-14 16:07 P: Oh no! Is it broken?
2024-02-14 17:30 M: broken, yes, clean. plaster for six weeks. she is being very brave and eating a Berliner
2024-02-14 17:41 H: Das arme Kind! Opa hat schon auf dem Gips unterschrieben.
2024-02-15 10:12 M: [plaster] the gallery is open
2024-02-27 20:10 E: 22 June!! NOT the 8th. thornwick barn. 2pm. tattoo it on your arm
2024-02-27 20:14 T: Ida has offered her plaster
2024-03-25 16:11 M: [cake-ida-9] nine! strawberries in March, don't tell Nadia
2024-03-25 16:20 H: Liebe Ida, alles Gute zum Neunten!
2024-03-28 10:05 M: plaster OFF
2024-04-24 19:33 T: [kitchen-before] we have no kitchen. we have a hole with a man called Gareth in it
2024-04-24 19:40 P: Come to us for dinner! It is only 260 miles
2024-05-03 18:21 T: tiles are going up. cream ones, she won
2024-05-11 13:20 M: [menu] Opas Menü. He has ordered all of it
2024-05-11 21:44 T: [party] 75!
2024-05-11 22:10 P: Happy birthday Werner from all in Whitby
2024-05-12 09:15 H: Danke Euch allen! Opa schläft noch. Er sagt, es war sein schönster Geburtstag.
2024-05-18 10:26 M: [kitchen-after] it has doors. and drawers. and they CLOSE
2024-05-18 10:40 E: that green!!! what is it
2024-05-18 10:42 T: fern green I think
2024-05-18 10:43 M: SAGE Tom. we changed it in february
2024-06-22 13:08 T: lower field! not the barn! the farmer has a whistle
2024-06-22 17:30 M: [wedding] they did it
2024-06-22 17:45 H: Was für ein schönes Paar! Liebe Grüße aus Lübeck, wir sind in Gedanken dabei.
2024-06-22 23:50 T: [barn] jonas is still dancing
2024-06-23 11:02 M: [lighthouse] sunday, sea air, quiet heads
2024-06-30 17:17 P: [rufus] Rufus misses you all
2024-08-03 09:40 T: [boarding] gate 14. Jonas has asked the pilot his name
2024-08-05 18:30 M: [bled] rowed to the island. 99 steps. Ida rang the bell and won't say what for
2024-08-08 06:12 T: [dawn] Vršič, 5:50. worth it
2024-08-08 06:30 E: why are you awake
2024-08-17 20:05 M: home. flight was at 17:40 in the end, we had time for one more burek
2024-08-20 18:44 M: [tomatoes] first real harvest!! 2.3 kg
2024-08-20 18:50 H: Wunderbar! Welche Sorte ist das?
2024-08-20 18:55 M: Samen von Maja aus Bled, sie heißen "Volovsko srce", Ochsenherz
2024-09-12 17:05 T: bike's gone. from the station. lock cut
2024-09-12 17:06 M: oh no. the blue one?
2024-09-12 17:07 T: the blue one
2024-09-14 17:31 T: [bike-green] right. this is Heron. she has two locks
2024-09-23 17:40 H: Opa ist operiert, alles gut!
2024-09-23 17:42 P: Thinking of you both. Send him my love
2024-10-04 07:30 M: Miso didn't come home last night
2024-10-04 18:12 T: posters up on the whole of Alder Row
2024-10-06 17:02 M: FOUND!!! in Olu's shed. since thursday!
2024-10-06 17:04 P: Thank heavens
2024-10-06 17:30 T: [miso-sill] the criminal
2024-10-10 12:15 M: Tom has a chest infection. antibiotics for a week, no choir
2024-10-10 12:20 P: Honey and bed, Thomas
2024-10-20 16:20 M: [recipe] Omas Rezept ist angekommen, wir backen sofort
2024-10-20 18:02 M: cake is out, 50 minutes in our oven, not 45
2024-10-20 18:10 H: Dann ist Euer Ofen zu schwach! 45 Minuten, immer.
2024-10-28 21:10 T: dino party is SUNDAY the 3rd now, I've got brass on saturday
2024-11-03 15:20 M: [cake-jonas-6] six. the dinosaur has a stomach ache
2024-11-03 15:31 H: Alles Liebe, lieber Jonas! Sechs Jahre!
2024-12-14 16:50 T: [choir] third row, green scarf, singing everything half a bar early
2024-12-14 17:02 P: An angel
2024-12-25 09:14 P: Happy Christmas from the kitchen. Who has hidden the sprouts
2024-12-25 11:30 M: [storm] walk before lunch. we did not walk for long
2024-12-25 15:48 T: [rufus-fire] everyone who ate too much
2024-12-25 16:05 H: Frohe Weihnachten nach Whitby! Opa ist ohne Stock zur Kirche gegangen.
2025-01-19 12:10 M: Priya's baby is here!! Leela
2025-01-19 12:14 E: aaaah!! congratulations to all
2025-02-08 10:05 M: [snowman] school hill was closed so we built at home
2025-02-08 10:20 H: Der Hut! Ist das Opas Hut??
2025-02-08 10:22 T: a cousin of the hat
2025-02-15 21:20 T: reelhouse wants 12.99 from march. do we still watch it
2025-02-15 21:24 M: the cat does
2025-02-18 19:03 E: soooo. september. you'll be an aunt and an uncle
2025-02-18 19:04 M: ELLIE
2025-02-18 19:05 P: I knew since Sunday and I told nobody
`,
);

/** Mara's oldest friend, as exported from an iPhone. */
export const friendChat = conversation(
  "Priya Nair",
  { M: "Mara", P: "Priya Nair" },
  isPictureId,
  `
2023-03-09 12:40 P: coffee sunday? I have opinions about my sister's wedding hat
2023-03-09 12:52 M: always. 10 at the harbour place
2023-03-12 10:22 M: [coffee] I'm here and I have started without you
2023-03-12 10:24 P: two minutes. order me the almond one
2023-03-20 08:41 M: I applied. the garden studio. missed my stop writing it in my head
2023-03-20 08:44 P: THE one? with the woman who did the canal roofs?
2023-03-20 08:45 M: the one
2023-03-31 12:10 P: small hours orchestra, tidal hall, 17 june. in or in
2023-03-31 12:12 M: in. I'll get them, row F ok?
2023-03-31 12:13 P: row F is where I live. what do I owe you
2023-03-31 12:15 M: 34. or one almond croissant a week until june
2023-04-28 15:31 M: interview done. I talked about moss for eleven minutes
2023-04-28 15:33 P: that's a good sign or a very bad sign
2023-05-09 10:29 M: good sign!!!!
2023-05-09 10:32 P: I'm screaming in the pharmacy
2023-06-06 19:10 P: september then. her poor voice
2023-06-06 19:12 M: same seats, she said nothing about the almond debt
2023-06-27 20:15 M: we are going to offer on the house. 408. is that mad
2023-06-27 20:20 P: it's a house with a fig tree mara. offer
2023-07-05 18:30 M: 415 and it's ours (nearly)
2023-07-05 18:31 P: FIG TREE
2023-08-29 17:45 P: [poster] look what's on the wall by the bridge
2023-08-29 17:50 M: 16 september. 18 days
2023-09-16 18:55 P: I'm outside by the sausage van
2023-09-16 22:48 M: [concert] she can sing again. oh can she sing
2023-09-16 22:52 P: I cried at the tuba. nobody cries at the tuba
2023-09-17 09:20 M: my ears are still in row F
2023-10-01 15:12 M: [autumn] walked the long avenue, thought of your horrible orange coat
2023-10-01 15:15 P: it's RUST
2023-10-16 19:20 M: moving on 10 november now, seller's chain slipped. can you still take miso?
2023-10-16 19:24 P: yes. friday to sunday. dev is allergic but in love
2023-11-05 20:14 M: [fireworks] from the bridge. jonas counted 214
2023-11-09 18:30 P: cat has arrived. cat is under the bath
2023-11-11 09:05 P: cat is on dev
2023-12-10 18:20 M: [rain] bristol in december, a portrait
2023-12-10 18:22 P: is that my umbrella
2023-12-10 18:23 M: it has always been our umbrella
2023-12-31 23:40 P: happy new year you. what's the list
2024-01-01 00:12 M: boiler, kitchen, mountains, somebody's wedding, grow a tomato
2024-01-14 08:20 M: boiler chose today. minus two outside
2024-01-14 08:25 P: come here! we have radiators and dal
2024-01-15 15:10 M: 2290 for a new one, fitted, ten years guarantee. tom keeps telling people 2450
2024-01-22 17:00 M: heat. actual heat. I'm hugging a radiator
2024-02-14 18:40 M: Ida broke her wrist. sledge, tree
2024-02-14 18:44 P: poor duck! which one
2024-02-14 18:46 M: left, so she can still draw. she asked that first
2024-03-14 19:02 M: [parking] I parked at 18:15. read the sign
2024-03-14 19:05 P: mon to sat 9 to 6. you're fine. appeal!
2024-04-05 09:30 M: appeal accepted, ha. 0 pounds
2024-04-22 20:31 M: Gareth started today, two weeks late. kitchen is a cave
2024-04-22 20:35 P: come and cook here on thursday. I'll chop
2024-05-09 13:10 M: Quay Gardens is open. six birches. the client cried under no. 4
2024-05-09 13:12 P: can I come and cry under no. 5
2024-05-18 11:15 M: kitchen done. 17 may, last handle
2024-05-18 11:18 P: green?
2024-05-18 11:19 M: sage
2024-06-24 21:30 P: wedding report please. full report
2024-06-24 21:41 M: cliff, barn, 64 people, one whistle. Ellie danced in wellies. Jonas dropped one ring into the hay
2024-06-24 21:42 M: found after nine minutes
2024-08-10 17:22 M: [riverside] Ljubljana. 34 degrees. I've eaten nothing but plums
2024-08-11 21:03 M: [receipt] best meal of the holiday, 78 euros for the four of us
2024-08-11 21:10 P: what did you have
2024-08-11 21:12 M: žlikrofi, little hats with potato. and a trout for tom
2024-08-28 22:40 P: did you read my mail
2024-08-28 22:41 M: twice. I'm happy and I hate it
2024-08-28 22:43 P: 55 minutes by train. I looked
2024-09-01 19:15 M: [books] shelves are up! all 4 metres of them
2024-09-01 19:21 P: colour coded?? who are you
2024-10-04 21:10 M: no sign of miso. I keep hearing her in the wall
2024-10-06 17:10 M: olu's shed!!! she is FINE
2024-10-06 17:11 P: I'm crying in a box. literally, I'm packing
2024-10-12 08:15 P: van is here. bye bristol
2024-10-12 08:20 M: I'm at the corner with flasks. two minutes
2024-10-26 14:05 P: cardiff has almond croissants. 6 out of 10
2024-11-16 17:40 M: train next saturday? the 23rd
2024-11-16 17:52 P: yes! 10:54 from temple gate
2024-11-22 20:15 P: can we make it the 30th instead? dev's mum is coming
2024-11-22 20:17 M: of course. same train, 30 november
2024-11-30 19:30 M: home again. your bump kicked my tea
2024-12-31 23:58 P: next year there are three of us
2025-01-09 16:02 M: nadia asked me to lead the parks team. from march
2025-01-09 16:05 P: you said yes?
2025-01-09 16:06 M: I said monday
2025-01-18 21:12 P: nothing yet. due wednesday. I've eaten a whole pineapple
2025-01-19 11:50 M: LEELA
2025-01-20 19:26 P: [cot] first night at home. she is 3.4 kilos of opinion
2025-01-20 19:40 M: the bear is bigger than her
2025-01-25 12:30 M: I'm coming saturday 1 feb with soup for six days
2025-02-01 16:55 M: she held my finger for an hour. I missed the train on purpose
2025-02-15 10:11 P: small hours in april, tidal hall. do babies count as row F
2025-02-15 10:14 M: babies are free in row F. I'll get 2
`,
);
