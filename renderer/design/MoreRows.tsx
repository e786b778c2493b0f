import { useEffect, useRef } from "react";
import { counted } from "../state/format.ts";
import { Button } from "./controls.tsx";

/** How far below the window's edge the next rows are fetched already. */
const ahead = "600px";

/** The foot of a long list: the next rows come as one scrolls near, or by the button. */
export function MoreRows({ left, what, onMore }: { left: number; what: string; onMore: () => void }) {
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = foot.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onMore();
      },
      { rootMargin: ahead },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [onMore]);
  if (left <= 0) return null;
  return (
    <div ref={foot}>
      <Button tone="quiet" onClick={onMore}>
        Show more <span className="quiet">{counted(left, what)} below</span>
      </Button>
    </div>
  );
}
