import {
  AudioLines,
  Calendar,
  Contact,
  FileText,
  Image,
  Info,
  type LucideIcon,
  Mail,
  MapPin,
  MessageSquare,
  Receipt,
  StickyNote,
  Video,
} from "lucide-react";
import type { RecordKind } from "#contract";

const icons: Readonly<Record<RecordKind, LucideIcon>> = {
  message: MessageSquare,
  email: Mail,
  photo: Image,
  video: Video,
  audio: AudioLines,
  document: FileText,
  event: Calendar,
  contact: Contact,
  note: StickyNote,
  location: MapPin,
  transaction: Receipt,
  system: Info,
};

/** The sign of a record's kind; decoration beside words that say the same. */
export function KindIcon({ kind, size = 15 }: { kind: RecordKind; size?: number }) {
  const Icon = icons[kind];
  return <Icon size={size} strokeWidth={1.75} aria-hidden className="kind-icon" />;
}
