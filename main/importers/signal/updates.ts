import type { RecordFlag } from "#contract";
import type { Directory, Recipient } from "./people.ts";
import { type Fields, isFields, wordOf } from "./values.ts";

/** What a notice of Signal says, in English. */
export interface Notice {
  readonly text: string;
  readonly flags: readonly RecordFlag[];
  readonly seconds: number | null;
}

const simpleTypes =
  "unknown joined_signal identity_update identity_verified identity_default change_number release_channel_donation_request end_session chat_session_refresh bad_decrypt payments_activated payment_activation_request unsupported_protocol_message reported_spam blocked unblocked message_request_accepted".split(
    " ",
  );

const simple: Readonly<Record<string, (who: string) => string>> = {
  joined_signal: (who) => `${who} joined Signal`,
  identity_update: (who) => `The safety number with ${who} changed`,
  identity_verified: (who) => `The safety number with ${who} was marked as verified`,
  identity_default: (who) => `The safety number with ${who} was marked as not verified`,
  change_number: (who) => `${who} changed their phone number`,
  end_session: () => "The secure session was reset",
  chat_session_refresh: () => "The chat session was refreshed",
  bad_decrypt: (who) => `A message from ${who} could not be decrypted`,
  payments_activated: (who) => `${who} can now accept payments`,
  payment_activation_request: (who) => `${who} asked to activate payments`,
  unsupported_protocol_message: (who) => `${who} sent a message of a kind that was not supported`,
  reported_spam: () => "This was reported as spam",
  blocked: () => "You blocked this chat",
  unblocked: () => "You unblocked this chat",
  message_request_accepted: () => "You accepted the message request",
};

function timer(value: unknown): string {
  const seconds = Math.round(Number(value ?? 0) / 1000);
  if (!(seconds > 0)) return "off";
  const units = [
    [604_800, "week"],
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
    [1, "second"],
  ] as const;
  const [size, name] = units.find(([unit]) => seconds % unit === 0) ?? [1, "second"];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

function individualCall(call: Fields): Notice {
  const video = wordOf(call.type, ["unknown", "audio_call", "video_call"]).startsWith("video");
  const state = wordOf(call.state, ["accepted", "accepted", "not_accepted", "missed", "missed"]);
  const out = wordOf(call.direction, ["incoming", "incoming", "outgoing"]) === "outgoing";
  const kind = video ? "video call" : "voice call";
  const missed = state.startsWith("missed");
  const text = missed
    ? `Missed ${kind}`
    : `${out ? "Outgoing" : "Incoming"} ${kind}${state === "not_accepted" ? (out ? " (unanswered)" : " (declined)") : ""}`;
  return { text, flags: missed ? ["call", "missed"] : ["call"], seconds: null };
}

function groupCall(call: Fields, directory: Directory): Notice {
  const words = [
    "generic",
    "generic",
    "joined",
    "ringing",
    "accepted",
    "declined",
    "missed",
    "missed",
    "outgoing_ring",
  ];
  const missed = wordOf(call.state, words).startsWith("missed");
  const started = directory.of(call.startedCallRecipientId ?? call.ringerRecipientId);
  const lasted = (Number(call.endedCallTimestamp) - Number(call.startedCallTimestamp)) / 1000;
  return {
    text: `${missed ? "Missed group call" : "Group call"}${started === null ? "" : ` started by ${directory.shown(started)}`}`,
    flags: missed ? ["call", "missed"] : ["call"],
    seconds: lasted >= 0 && Number.isFinite(lasted) ? Math.round(lasted) : null,
  };
}

type Change = (fields: Fields, name: (account: unknown) => string, by: string) => string;

const quoted = (value: unknown) => (typeof value === "string" && value !== "" ? ` “${value}”` : "");

const changes: Readonly<Record<string, Change>> = {
  genericGroupUpdate: (_, __, by) => `${by} updated the group`,
  groupCreationUpdate: (_, __, by) => `${by} created the group`,
  groupNameUpdate: (change, _, by) =>
    change.newGroupName
      ? `${by} changed the group name to${quoted(change.newGroupName)}`
      : `${by} removed the group name`,
  groupAvatarUpdate: (change, _, by) => `${by} ${change.wasRemoved === true ? "removed" : "changed"} the group picture`,
  groupDescriptionUpdate: (change, _, by) => `${by} changed the group description${quoted(change.newDescription)}`,
  groupAdminStatusUpdate: (change, name, by) =>
    `${by} ${change.wasAdminStatusGranted === true ? "made" : "removed"} ${name(change.memberAci)} ${change.wasAdminStatusGranted === true ? "an admin" : "as an admin"}`,
  groupMemberLeftUpdate: (change, name) => `${name(change.aci)} left the group`,
  groupMemberRemovedUpdate: (change, name) => `${name(change.removerAci)} removed ${name(change.removedAci)}`,
  groupMemberJoinedUpdate: (change, name) => `${name(change.newMemberAci)} joined the group`,
  groupMemberAddedUpdate: (change, name, by) => `${by} added ${name(change.newMemberAci)}`,
  groupMemberJoinedByLinkUpdate: (change, name) => `${name(change.newMemberAci)} joined the group by link`,
  groupInvitationAcceptedUpdate: (change, name) => `${name(change.newMemberAci)} accepted the invitation to the group`,
  selfInvitedToGroupUpdate: (change, name) => `${name(change.inviterAci)} invited you to the group`,
  selfInvitedOtherUserToGroupUpdate: (change, name) => `You invited ${name(change.inviteeServiceId)} to the group`,
  groupUnknownInviteeUpdate: (change, name) =>
    `${name(change.inviterAci)} invited ${Number(change.inviteeCount) || 1} to the group`,
  groupJoinRequestUpdate: (change, name) => `${name(change.requestorAci)} asked to join the group`,
  groupJoinRequestApprovalUpdate: (change, name, by) =>
    `${by} ${change.wasApproved === true ? "approved" : "denied"} the request of ${name(change.requestorAci)} to join`,
  groupExpirationTimerUpdate: (change, _, by) => `${by} set disappearing messages: ${timer(change.expiresInMs)}`,
  groupV2MigrationUpdate: () => "The group was upgraded",
};

function groupChange(fields: Fields, directory: Directory): string {
  const updates = Array.isArray(fields.updates) ? fields.updates.slice(0, 100) : [];
  const name = (account: unknown) =>
    account === undefined || account === null ? "Somebody" : directory.nameOf(account);
  const lines = updates.flatMap((update) => {
    if (!isFields(update)) return [];
    return Object.entries(update).flatMap(([key, change]) => {
      if (!isFields(change)) return [];
      const said = Object.hasOwn(changes, key) ? changes[key] : undefined;
      const by = name(change.updaterAci);
      // A change that is not known is told by its own name.
      const words = key.replace(/Update$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      return [said?.(change, name, by) ?? (change.updaterAci ? `${by}: ${words}` : words)];
    });
  });
  return lines.join("\n") || "The group was updated";
}

/** What an update of a chat says. `author` is whom it is about. */
export function noticeOf(update: Fields, author: Recipient | null, directory: Directory): Notice {
  const who = directory.shown(author);
  const plain = (text: string): Notice => ({ text, flags: [], seconds: null });
  const { simpleUpdate, groupChange: change, expirationTimerChange: expiry, profileChange: profile } = update;
  if (isFields(update.individualCall)) return individualCall(update.individualCall);
  if (isFields(update.groupCall)) return groupCall(update.groupCall, directory);
  if (simpleUpdate !== undefined) {
    const type = wordOf(isFields(simpleUpdate) ? simpleUpdate.type : simpleUpdate, simpleTypes);
    return plain(
      (Object.hasOwn(simple, type) ? simple[type] : undefined)?.(who) ?? `${who}: ${type.replaceAll("_", " ")}`,
    );
  }
  if (isFields(change)) return plain(groupChange(change, directory));
  if (isFields(expiry)) return plain(`${who} set disappearing messages: ${timer(expiry.expiresInMs)}`);
  if (isFields(profile))
    return plain(`${String(profile.previousName ?? who)} changed their name to ${String(profile.newName ?? "")}`);
  if (isFields(update.pollTerminate)) return plain(`${who} ended the poll${quoted(update.pollTerminate.question)}`);
  if (isFields(update.pinMessage)) return plain(`${who} pinned a message`);
  const [kind] = Object.keys(update);
  const words: Readonly<Record<string, string>> = {
    threadMerge: `Chats with ${who} were merged`,
    sessionSwitchover: `Messages with ${who} go to another number from here`,
    learnedProfileChange: `This is ${who}`,
  };
  return plain(
    words[kind ?? ""] ?? `${who}: ${(kind ?? "update").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`,
  );
}
