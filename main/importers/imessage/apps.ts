import { entryOf, type Plist, readPlist, unarchived } from "./plist.ts";

/** What a message of an app ("balloon") shows: a preview of a link, a poll, a game, a payment. */
export interface AppContent {
  readonly app: string;
  readonly text: string | null;
  readonly links: readonly string[];
  readonly title: string | null;
  readonly poll: boolean;
}

const known: readonly (readonly [RegExp, string])[] = [
  [/URLBalloonProvider/, "link"],
  [/Handwriting/, "handwriting"],
  [/DigitalTouch/, "digital touch"],
  [/PassbookUIService|PeerPayment/, "Apple Cash"],
  [/Polls/, "poll"],
  [/FindMy|findmy/, "Find My"],
  [/SafetyMonitor/, "Check In"],
  [/Business/, "business"],
];

const textOf = (value: Plist | undefined): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null;

/** Reads `balloon_bundle_id` and `payload_data`; null for a message of no app. */
export function readApp(bundle: string | null, payload: Uint8Array | null): AppContent | null {
  if (bundle === null) return null;
  const archive = payload === null ? undefined : unarchived(readPlist(payload));
  const app =
    known.find(([pattern]) => pattern.test(bundle))?.[1] ??
    textOf(entryOf(archive, "an")) ??
    bundle.split(":").at(-1) ??
    bundle;
  const bare = { app: app.slice(0, 200), text: null, links: [], title: null, poll: app === "poll" };
  if (app === "link") return { ...bare, ...readLink(archive) };
  const poll = readPoll(archive);
  if (poll !== null) return { ...bare, text: poll, poll: true };
  const info = entryOf(archive, "userInfo") ?? archive;
  const parts = [
    "image-title",
    "image-subtitle",
    "caption",
    "subcaption",
    "secondary-subcaption",
    "tertiary-subcaption",
  ]
    .map((key) => textOf(entryOf(info, key)))
    .filter((part) => part !== null);
  const text = parts.length > 0 ? parts.join("\n") : textOf(entryOf(archive, "ldtext"));
  const link = urlOf(entryOf(archive, "URL"));
  return { ...bare, text, links: link !== null && /^https?:/i.test(link) ? [link] : [] };
}

/** Rich links: `richLinkMetadata` with the address that was sent, and the title of its page. */
function readLink(archive: Plist | undefined): Pick<AppContent, "links" | "title"> {
  const link = entryOf(archive, "richLinkMetadata") ?? archive;
  const address = urlOf(entryOf(link, "originalURL")) ?? urlOf(entryOf(link, "URL"));
  const title = textOf(entryOf(link, "title")) ?? textOf(entryOf(link, "summary"));
  return { links: address !== null && /^https?:/i.test(address) ? [address] : [], title };
}

function urlOf(value: Plist | undefined): string | null {
  const text = textOf(value) ?? textOf(entryOf(value, "NS.relative"));
  return text === null ? null : text.slice(0, 200_000);
}

/** A poll stands as JSON in a `data:` address: a title and options with texts. Its form is not published. */
function readPoll(archive: Plist | undefined): string | null {
  const url = urlOf(entryOf(archive, "URL"));
  if (url === null || !url.startsWith("data:")) return null;
  const comma = url.indexOf(",");
  const body = url.slice(comma + 1);
  let value: unknown;
  try {
    const json = /;base64$/i.test(url.slice(0, comma))
      ? Buffer.from(body, "base64").toString()
      : decodeURIComponent(body);
    value = JSON.parse(json.replace(/^\?/, ""));
  } catch {
    return null;
  }
  const item = field(value, "item") ?? value;
  const options = field(item, "orderedPollOptions") ?? field(item, "options");
  if (!Array.isArray(options)) return null;
  const lines = options.slice(0, 100).map((option: unknown) => field(option, "text"));
  const title = field(item, "title");
  return [title, ...lines.map((line) => (typeof line === "string" ? `- ${line}` : null))]
    .filter((line) => typeof line === "string" && line !== "")
    .join("\n");
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
