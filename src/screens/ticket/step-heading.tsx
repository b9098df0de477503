/** The heading of a step of the ticket: takes the focus when the step replaces another, so that it is read out. */
import { useEffect, useRef } from "react";
import type { ReactNode } from "react";

/** `focused`: whether the step replaced another; the first step leaves the focus to the sheet. */
export function StepHeading({
  focused = true,
  className,
  children,
}: {
  focused?: boolean;
  className?: string | undefined;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);
  return (
    <h3 ref={heading} className={className} tabIndex={-1}>
      {children}
    </h3>
  );
}
