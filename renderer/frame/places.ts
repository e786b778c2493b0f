import { FolderInput, Library, type LucideIcon, Search, Shield, SlidersHorizontal, Users } from "lucide-react";
import type { Place } from "../state/route.ts";

/** The places of the rail, in its order. */
export const railPlaces: readonly { place: Place; label: string; short: string; icon: LucideIcon }[] = [
  { place: "ask", label: "Ask", short: "Ask", icon: Search },
  { place: "library", label: "Library", short: "Library", icon: Library },
  { place: "people", label: "People", short: "People", icon: Users },
  { place: "imports", label: "Imports", short: "Imports", icon: FolderInput },
  { place: "privacy", label: "Privacy", short: "Privacy", icon: Shield },
  { place: "models", label: "Models & settings", short: "Settings", icon: SlidersHorizontal },
];
