import type { TelegramMessage } from "./schema.ts";

/** "Ada", "Ada and Ben", "Ada, Ben and Cy". */
function listed(names: readonly (string | null)[]): string {
  const known = names.map((name) => name ?? "Deleted Account");
  const last = known.pop() ?? "";
  return known.length === 0 ? last : `${known.join(", ")} and ${last}`;
}

const quoted = (title: string | null) => `«${title ?? ""}»`;

function seconds(duration: number | null): string {
  return duration === null || duration <= 0 ? "" : ` (${duration} second${duration === 1 ? "" : "s"})`;
}

function period(all: number | null): string {
  if (all === null || all <= 0) return "";
  const unit = (
    [
      [86_400, "day"],
      [3_600, "hour"],
      [60, "minute"],
      [1, "second"],
    ] as const
  ).find(([size]) => all % size === 0);
  const [size, name] = unit ?? [1, "second"];
  return all === 86_400 ? "24 hours" : `${all / size} ${name}${all === size ? "" : "s"}`;
}

function day(unix: number | null): string {
  if (unix === null || Math.abs(unix) > 8e9) return "";
  return ` for ${new Date(unix * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function distance(metres: number | null): string {
  if (metres === null) return "some metres";
  return metres >= 1000 ? `${metres / 1000} km` : `${metres} metre${metres === 1 ? "" : "s"}`;
}

type Sentence = (m: TelegramMessage, who: string, channel: boolean) => string;

/** As Telegram's own HTML export words them, so that both exports of a notice agree. */
const sentences: Readonly<Record<string, Sentence>> = {
  create_group: (m, who) =>
    `${who} created group ${quoted(m.title)}${m.members.length > 0 ? ` with members ${listed(m.members)}` : ""}`,
  create_channel: (m) => `Channel ${quoted(m.title)} created`,
  edit_group_title: (m, who, channel) =>
    channel ? `Channel title changed to ${quoted(m.title)}` : `${who} changed group title to ${quoted(m.title)}`,
  edit_group_photo: (_, who, channel) => (channel ? "Channel photo changed" : `${who} changed group photo`),
  delete_group_photo: (_, who, channel) => (channel ? "Channel photo removed" : `${who} removed group photo`),
  invite_members: (m, who) =>
    m.members.length === 1 && m.members[0] === who ? `${who} joined the group` : `${who} invited ${listed(m.members)}`,
  remove_members: (m, who) =>
    m.members.length === 1 && m.members[0] === who ? `${who} left the group` : `${who} removed ${listed(m.members)}`,
  join_group_by_link: (m, who) => `${who} joined group by link from ${m.inviter ?? "Deleted Account"}`,
  join_group_by_request: (_, who) => `${who} joined group by request`,
  migrate_to_supergroup: (_, who) => `${who} converted this group to a supergroup`,
  migrate_from_group: (m, who) => `${who} converted a basic group to this supergroup ${quoted(m.title)}`,
  pin_message: (_, who) => `${who} pinned this message`,
  clear_history: () => "History cleared",
  score_in_game: (m, who) => `${who} scored ${m.score ?? 0} in this game`,
  send_payment: (m) => `You have successfully transferred ${m.amount ?? ""} ${m.currency ?? ""} for this invoice`,
  phone_call: (m, who) =>
    m.discard_reason === "missed"
      ? `Missed call from ${who}`
      : m.discard_reason === "busy"
        ? `Declined call from ${who}`
        : `Call from ${who}${seconds(m.duration_seconds)}`,
  conference_call: (m, who) => `Group call from ${who}${seconds(m.duration_seconds ?? m.duration)}`,
  take_screenshot: (_, who) => `${who} took a screenshot`,
  allow_sending_messages: (m) =>
    m.reason_app_name !== null
      ? `You allowed this bot to message you when you opened ${m.reason_app_name}`
      : `You allowed this bot to message you when you logged in on ${m.reason_domain ?? "a site"}`,
  attach_menu_bot_allowed: () => "You allowed this bot to message you when you added it in the attachment menu.",
  web_app_bot_allowed: (m) => `You allowed this bot to message you when you opened ${m.reason_app_name ?? "an app"}`,
  send_passport_values: (m) => `You have sent the following documents: ${m.values.join(", ").replaceAll("_", " ")}`,
  joined_telegram: (_, who) => `${who} joined Telegram`,
  proximity_reached: (m) => `${m.from ?? "Somebody"} is now within ${distance(m.distance)} from ${m.to ?? "somebody"}`,
  requested_phone_number: (_, who) => `${who} requested your phone number`,
  group_call: (m, who, channel) =>
    channel ? `Voice chat${seconds(m.duration)}` : `${who} started voice chat${seconds(m.duration)}`,
  invite_to_group_call: (m, who) => `${who} invited ${listed(m.members)} to the voice chat`,
  set_messages_ttl: (m, who) =>
    (m.period ?? 0) > 0
      ? `${who} has set messages to auto-delete in ${period(m.period)}`
      : `${who} has set messages not to auto-delete`,
  group_call_scheduled: (m, who) => `${who} scheduled a voice chat${day(m.schedule_date)}`,
  edit_chat_theme: (m, who) =>
    m.emoticon === null || m.emoticon === ""
      ? `${who} disabled chat theme`
      : `${who} changed chat theme to ${m.emoticon}`,
  set_chat_theme: (m, who) => `${who} changed chat theme to ${m.emoticon ?? m.title ?? "another"}`,
  send_webview_data: (m) => `You have just successfully transferred data from the ${quoted(m.title)} button to the bot`,
  send_premium_gift: (m, who) =>
    m.months === null || m.cost === null
      ? `${who} sent you a gift.`
      : `${who} sent you a gift for ${m.cost}: Telegram Premium for ${m.months} months.`,
  topic_created: (m, who) => `${who} created topic ${quoted(m.title)}`,
  topic_edit: (m, who) => `${who} changed topic${m.new_title === null ? " icon" : ` title to ${quoted(m.new_title)}`}`,
  suggest_profile_photo: (_, who) => `${who} suggests to use this photo`,
  set_chat_wallpaper: (_, who) => `${who} set a new background for this chat`,
  set_same_chat_wallpaper: (_, who) => `${who} set the same background for this chat`,
  boost_apply: (m, who) =>
    `${who} boosted the group ${m.boosts ?? 1} time${m.boosts === null || m.boosts === 1 ? "" : "s"}`,
  send_stars_gift: (m, who) => `${who} sent you a gift of ${m.stars ?? "some"} stars`,
};

/** What a notice says, in English; an action that is not known yet is told by its own name. */
export function noticeText(message: TelegramMessage, who: string | null, channel: boolean): string {
  const name = who ?? "Deleted Account";
  if (message.action === null) return message.information_text ?? "";
  const known = Object.hasOwn(sentences, message.action) ? sentences[message.action] : undefined;
  if (known !== undefined) return known(message, name, channel);
  const title = message.title ?? message.new_title;
  return `${name}: ${message.action.replaceAll("_", " ")}${title === null ? "" : ` ${quoted(title)}`}`;
}

/** Calls are told by a flag too; `missed` is one that was never taken. */
export function callFlags(message: TelegramMessage): ("call" | "missed")[] {
  if (!/(?:^|_)call$/.test(message.action ?? "") || message.action === "invite_to_group_call") return [];
  return message.discard_reason === "missed" ? ["call", "missed"] : ["call"];
}
