import type { MatrixEvent } from "./schema.ts";

type Name = (id: string | null) => string;

function membership(event: MatrixEvent, name: Name): string | null {
  const { content, sender, state_key: who, unsigned } = event;
  const [by, whom] = [name(sender), who === sender ? (content?.displayname ?? name(who)) : name(who)];
  const before = unsigned?.prev_content ?? null;
  const reason = content?.reason ? `: ${content.reason}` : "";
  switch (content?.membership) {
    case "invite":
      return `${by} invited ${whom}${reason}`;
    case "join":
      if (before?.membership !== "join") return `${whom} joined the room`;
      if (before.displayname !== content.displayname) {
        return `${before.displayname ?? name(who)} changed their name to ${content.displayname ?? name(who)}`;
      }
      return `${whom} changed their profile`;
    case "leave":
      if (who === sender)
        return before?.membership === "invite" ? `${whom} rejected the invitation` : `${whom} left the room`;
      if (before?.membership === "ban") return `${by} unbanned ${whom}`;
      return before?.membership === "invite"
        ? `${by} withdrew the invitation of ${whom}`
        : `${by} removed ${whom}${reason}`;
    case "ban":
      return `${by} banned ${whom}${reason}`;
    case "knock":
      return `${whom} asked to join${reason}`;
    default:
      return null;
  }
}

/** What an event of a room says, in English; null for what people are not shown. */
export function noticeText(event: MatrixEvent, name: Name): string | null {
  const { type, content, sender } = event;
  const by = name(sender);
  switch (type) {
    case "m.room.member":
      return membership(event, name);
    case "m.room.create":
      return `${by} created the room`;
    case "m.room.name":
      return content?.name ? `${by} changed the room name to ${content.name}` : `${by} removed the room name`;
    case "m.room.topic":
      return content?.topic ? `${by} changed the topic to “${content.topic}”` : `${by} removed the topic`;
    case "m.room.avatar":
      return `${by} changed the room picture`;
    case "m.room.encryption":
      return `${by} enabled encryption`;
    case "m.room.pinned_events":
      return `${by} changed the pinned messages`;
    case "m.room.tombstone":
      return `${by} upgraded the room`;
    case "m.room.join_rules":
      return `${by} changed who can join`;
    case "m.room.history_visibility":
      return `${by} changed who can read the history`;
    case "m.room.guest_access":
      return `${by} changed whether guests can join`;
    case "m.room.power_levels":
      return `${by} changed the permissions`;
    case "m.room.third_party_invite":
      return `${by} sent an invitation to join`;
    case "m.call.invite":
      return `${by} called`;
    case "m.call.answer":
      return `${by} answered the call`;
    case "m.call.reject":
      return `${by} declined the call`;
    case "m.call.hangup":
      return content?.reason === "invite_timeout" ? `Missed call from ${by}` : `${by} ended the call`;
    default:
      return null;
  }
}
