import { useEffect, useState } from "react";
import type { ErrorShape, Output } from "#contract";
import { client, shownError } from "./client.ts";

/** What lies in a folder of the machine that Understory runs on; null: where a person would begin. The last listing stays while the next is read. */
export function useListing(path: string | null) {
  const [listing, setListing] = useState<Output<"imports.browse"> | null>(null);
  const [error, setError] = useState<ErrorShape | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    client()
      .call("imports.browse", { path }, { signal: controller.signal })
      .then(
        (read) => {
          setListing(read);
          setError(null);
        },
        (cause: unknown) => setError(shownError(cause)),
      );
    return () => controller.abort();
  }, [path]);
  return { listing, error };
}
