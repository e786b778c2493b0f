import type { Container, Party } from "#contract";
import { member } from "../chats/message.ts";
import { cleanLine, fieldHash } from "../text/clean.ts";
import { accountId, type Fields, hexOf, isFields, phoneOf } from "./values.ts";

/** One with whom there are chats: a person, a group, oneself. */
export interface Recipient {
  readonly name: string | null;
  readonly kind: "contact" | "group" | "self" | "other";
  /** The same in every export: id of the account, else its number; of a group the hash of its key. */
  readonly key: string;
  readonly address: string | null;
}

const said = (value: unknown): string | null =>
  typeof value === "string" ? (cleanLine(value)?.slice(0, 200) ?? null) : null;

const full = (given: unknown, family: unknown): string | null =>
  [said(given), said(family)].filter((part) => part !== null).join(" ") || null;

function contactOf(contact: Fields, id: string): Recipient {
  const nickname = isFields(contact.nickname) ? contact.nickname : {};
  const phone = phoneOf(contact.e164);
  const account = accountId(contact.aci) ?? accountId(contact.pni);
  const name =
    full(nickname.given, nickname.family) ??
    full(contact.systemGivenName, contact.systemFamilyName) ??
    full(contact.profileGivenName, contact.profileFamilyName) ??
    said(contact.name) ??
    said(contact.username);
  return { name, kind: "contact", key: account ?? phone ?? `recipient${id}`, address: phone ?? account };
}

function groupOf(group: Fields, id: string): Recipient {
  const snapshot = isFields(group.snapshot) ? group.snapshot : {};
  const title = isFields(snapshot.title) ? snapshot.title.title : (snapshot.title ?? group.title ?? group.name);
  const key = hexOf(group.masterKey) ?? hexOf(group.groupId ?? group.id);
  // The key of a group opens it: only its hash is kept.
  return { name: said(title), kind: "group", key: key === null ? `recipient${id}` : fieldHash([key]), address: null };
}

/** People, groups and chats of an export, by the numbers that it gives them. */
export class Directory {
  readonly #recipients = new Map<string, Recipient>();
  readonly #chats = new Map<string, string>();
  readonly #byAccount = new Map<string, Recipient>();
  #owner: string | null = null;
  #ownerId: string | null = null;

  account(account: Fields): void {
    this.#owner = full(account.givenName, account.familyName) ?? said(account.username) ?? this.#owner;
    this.#ownerId = accountId(account.aci) ?? this.#ownerId;
  }

  recipient(fields: Fields): void {
    const id = String(fields.id ?? "");
    if (id === "" || this.#recipients.size > 1_000_000) return;
    let recipient: Recipient = { name: null, kind: "other", key: `recipient${id}`, address: null };
    if (isFields(fields.contact)) recipient = contactOf(fields.contact, id);
    else if (isFields(fields.group)) recipient = groupOf(fields.group, id);
    else if (fields.self !== undefined && fields.self !== null)
      recipient = { name: null, kind: "self", key: "self", address: null };
    else if (fields.releaseNotes !== undefined) recipient = { ...recipient, name: "Signal", key: "release-notes" };
    this.#recipients.set(id, recipient);
    if (isFields(fields.contact)) {
      for (const field of [fields.contact.aci, fields.contact.pni]) {
        const account = accountId(field);
        if (account !== null) this.#byAccount.set(account, recipient);
      }
    }
  }

  chat(fields: Fields): void {
    this.#chats.set(String(fields.id ?? ""), String(fields.recipientId ?? ""));
  }

  of(id: unknown): Recipient | null {
    return this.#recipients.get(String(id ?? "")) ?? null;
  }

  /** The one whom a chat is with. */
  ofChat(id: unknown): Recipient | null {
    return this.of(this.#chats.get(String(id ?? "")));
  }

  container(chatId: unknown): Container {
    const recipient = this.ofChat(chatId);
    const key = recipient === null ? `chat${String(chatId).slice(0, 40)}` : `${recipient.kind}/${recipient.key}`;
    const title = recipient?.kind === "self" ? "Note to Self" : (recipient?.name ?? recipient?.address ?? null);
    return { key: `signal:${key}`, title, kind: "chat" };
  }

  party(recipient: Recipient | null, more: Partial<Party> = {}): Party | null {
    if (recipient === null || recipient.kind === "group") return null;
    const self = recipient.kind === "self";
    return member(self ? this.#owner : recipient.name, self ? this.#ownerId : recipient.address, {
      owner: self,
      ...more,
    });
  }

  /** Shown name of the owner of an account id, as mentions and notices give them. */
  nameOf(account: unknown): string {
    const id = accountId(account);
    if (id !== null && id === this.#ownerId) return this.#owner ?? "You";
    const recipient = id === null ? undefined : this.#byAccount.get(id);
    // Whoever is no contact in the export of an account is the account itself.
    return recipient === undefined ? (this.#owner ?? "Somebody") : (recipient.name ?? recipient.address ?? "Somebody");
  }

  shown(recipient: Recipient | null): string {
    if (recipient?.kind === "self") return this.#owner ?? "You";
    return recipient?.name ?? recipient?.address ?? "Somebody";
  }
}
