import { Component, type ReactNode } from "react";
import { type ErrorShape, toErrorShape } from "#contract";
import { Button } from "../design/controls.tsx";
import { EmptyState, ErrorNote } from "../design/feedback.tsx";

/** A fault of one place stays in that place: the rail, the pane and the work under way go on. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: ErrorShape | null }> {
  override state: { error: ErrorShape | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: ErrorShape } {
    return { error: toErrorShape(error) };
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children;
    return (
      <EmptyState
        title="This view stopped working"
        actions={<Button onClick={() => this.setState({ error: null })}>Show it again</Button>}
      >
        <ErrorNote error={this.state.error} />
      </EmptyState>
    );
  }
}
