import { ImageOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useConnection } from "../state/connection.ts";
import { fetchThumbnail, readyThumbnail } from "../state/media.ts";
import "./thumbnail.css";

/** A record's small picture. Its box has its size before the picture is there, so nothing jumps. */
export function Thumbnail({ id, alt, className = "" }: { id: number; alt: string; className?: string }) {
  const [url, setUrl] = useState(() => readyThumbnail(id));
  const [failed, setFailed] = useState(false);

  const epoch = useConnection((connection) => connection.epoch);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what a lost connection kept away is fetched again on the next one.
  useEffect(() => {
    const controller = new AbortController();
    setFailed(false);
    setUrl(readyThumbnail(id));
    fetchThumbnail(id, controller.signal).then(
      (ready) => {
        if (!controller.signal.aborted) setUrl(ready);
      },
      () => {
        if (!controller.signal.aborted) setFailed(true);
      },
    );
    return () => controller.abort();
  }, [id, epoch]);

  return (
    <span className={`thumbnail ${className}`}>
      {url ? (
        <img src={url} alt={alt} draggable={false} />
      ) : failed ? (
        <span className="thumbnail__missing" role="img" aria-label={`${alt}: no preview`}>
          <ImageOff size={18} aria-hidden />
        </span>
      ) : null}
    </span>
  );
}
