/** Catches render errors of one part, so that the rest of the app keeps working. */
import { Component } from "react";
import type { ReactNode } from "react";

export interface ErrorBoundaryProps {
  /** What to show instead; `retry` renders the children again. */
  fallback: (problem: Error, retry: () => void) => ReactNode;
  children: ReactNode;
}

/** A boundary around one screen or card. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { problem: Error | null }> {
  override state: { problem: Error | null } = { problem: null };

  static getDerivedStateFromError(problem: unknown): { problem: Error } {
    return { problem: problem instanceof Error ? problem : new Error(String(problem)) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    return problem ? this.props.fallback(problem, () => this.setState({ problem: null })) : this.props.children;
  }
}
