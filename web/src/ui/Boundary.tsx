/** A panel that throws does not blank the page: it shows the error in its place and can be tried again. */
import { Component, type ReactNode } from "react";
import { ErrorState } from "./states";

interface Props {
  what: string;
  children: ReactNode;
}

export class Boundary extends Component<Props, { error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <ErrorState
        title={`${this.props.what} could not be displayed`}
        error={this.state.error}
        onRetry={() => this.setState({ error: null })}
      />
    );
  }
}
