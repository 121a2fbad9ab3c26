/** A value that follows another once it has been still for a while. */

import { useEffect, useState } from "react";

export function useDebounced<T>(value: T, ms: number): T {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return still;
}
