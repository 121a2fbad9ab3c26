/** The width of an element in CSS pixels, as it changes; 0 before the first layout. */

import { useLayoutEffect, useRef, useState } from "react";

export function useWidth<E extends HTMLElement>() {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return;
    setWidth(watched.clientWidth);
    const observer = new ResizeObserver(() => setWidth(watched.clientWidth));
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}
