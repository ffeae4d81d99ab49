/** The bar above every page: brand, version, connection, pages, search, theme. */
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { LiveState } from "@/api/live";
import { useLiveState } from "@/api/use-live";
import { notificationsOn } from "@/entities/notifications/notifications";
import { queueQuery } from "@/entities/queue/queries";
import { queueText } from "@/entities/queue/words";
import { healthQuery } from "@/entities/system/queries";
import { useStore } from "@/lib/store";
import { theme, toggleTheme } from "@/lib/theme";
import { isTourOn } from "@/panels/tour/open";
import { Badge } from "@/ui/Badge";
import { IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { Menu } from "@/ui/Menu";
import { Tooltip } from "@/ui/Tooltip";
import { toggleNotifications } from "./notification-switch";
import { PAGES } from "./pages";

export function Header({ onSearch, onKeys }: { onSearch: () => void; onKeys: () => void }) {
  return (
    <header className="sticky top-0 z-30 border-b bg-surface">
      <div className="container-page flex flex-wrap items-center gap-x-2 sm:gap-x-6 lg:flex-nowrap lg:gap-x-4 xl:gap-x-6">
        <Brand />
        <Pages />
        <div className="ml-auto flex h-14 shrink-0 items-center sm:gap-1">
          <QueueLink />
          <Connection />
          <SearchButton onClick={onSearch} />
          <HelpMenu onKeys={onKeys} />
          <ThemeButton />
        </div>
      </div>
    </header>
  );
}

function Brand() {
  const health = useQuery(healthQuery);
  return (
    <div className="flex h-14 shrink-0 flex-col justify-center sm:flex-row sm:items-center sm:gap-3">
      <Link to="/" className="font-mono text-xs font-bold whitespace-nowrap sm:text-sm sm:tracking-wider">
        {"RL LAB "}
        <span className="text-warn">{"//"}</span>
        {" GYM MANAGER"}
      </Link>
      {health.data && (
        <>
          <span className="figures text-2xs leading-3 text-ink-3 sm:hidden">{`V${health.data.version}`}</span>
          <span className="max-sm:hidden lg:max-xl:hidden">
            <Badge>V{health.data.version}</Badge>
          </span>
        </>
      )}
    </div>
  );
}

/** How many runs are running and waiting; nothing while there are none. */
function QueueLink() {
  const queue = useQuery(queueQuery).data;
  const text = queue ? queueText(queue) : null;
  if (text === null) return null;
  return (
    <Link
      to="/queue"
      className="figures flex h-8 items-center rounded-sm px-2 text-xs whitespace-nowrap text-ink-2 hover:bg-sunken hover:text-ink"
    >
      <span className="sr-only">Queue: </span>
      <span className="max-md:sr-only lg:max-[85rem]:sr-only">{text}</span>
      <span
        aria-hidden="true"
        className="md:max-lg:hidden min-[85rem]:hidden"
      >{`${queue!.running.length}/${queue!.waiting.length}`}</span>
    </Link>
  );
}

/** On a phone the row of pages is wider than the screen: the one that is open is scrolled into view. */
function Pages() {
  const row = useRef<HTMLElement>(null);
  const pathname = useLocation({ select: (location) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is open
  useEffect(() => {
    const open = row.current?.querySelector<HTMLElement>("[aria-current=page]");
    if (open) row.current!.scrollLeft = open.offsetLeft - (row.current!.clientWidth - open.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav
      ref={row}
      aria-label="Pages"
      className="relative order-last flex w-full min-w-0 gap-1 overflow-x-auto [scrollbar-width:none] lg:order-none lg:w-auto lg:gap-0 2xl:gap-1"
    >
      {PAGES.map((page) => (
        <Link
          key={page.to}
          to={page.to}
          activeOptions={{ exact: page.to === "/", includeSearch: false }}
          className="ring-inside flex h-10 items-center border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-ink-3 hover:text-ink aria-[current=page]:border-ink aria-[current=page]:text-ink lg:h-14 lg:px-1.5 xl:px-2 2xl:px-3"
        >
          {page.title}
        </Link>
      ))}
    </nav>
  );
}

const CONNECTION: Record<LiveState, { word: string; meaning: string; dot: string }> = {
  connecting: { word: "connecting", meaning: "Opening the live connection.", dot: "border border-ink-3" },
  connected: { word: "live", meaning: "Everything on this page is live.", dot: "bg-good" },
  reconnecting: {
    word: "reconnecting",
    meaning: "The connection was lost. Trying to reconnect.",
    dot: "border border-warn",
  },
  stale: {
    word: "not live",
    meaning:
      "The lab does not respond, so this page shows the last known state. Runs continue. Start the lab again with rl-lab serve.",
    dot: "bg-warn",
  },
};

function Connection() {
  const { word, meaning, dot } = CONNECTION[useLiveState()];
  return (
    <Tooltip text={meaning}>
      <button
        type="button"
        className="label flex h-8 min-w-8 cursor-default items-center justify-center gap-2 rounded-sm px-2 text-ink-2"
        data-testid="connection"
      >
        <span aria-hidden="true" className={cx("size-2 rounded-full", dot)} />
        <span role="status" className="sentence max-sm:sr-only lg:max-xl:sr-only">
          {word}
        </span>
      </button>
    </Tooltip>
  );
}

function HelpMenu({ onKeys }: { onKeys: () => void }) {
  const navigate = useNavigate();
  const notifies = useStore(notificationsOn);
  const startTour = async () => {
    await navigate({ to: "/" });
    isTourOn.set(true);
  };
  return (
    <Menu
      trigger={<IconButton icon="help" label="Help" />}
      items={[
        { title: "Welcome", run: () => void navigate({ to: "/welcome" }) },
        { title: "Take the tour", run: () => void startTour() },
        { title: "Keys", run: onKeys },
        { title: "Docs", run: () => void navigate({ to: "/docs" }) },
        { title: "Glossary", run: () => void navigate({ to: "/docs/$", params: { _splat: "glossary" } }) },
        {
          title: notifies ? "Stop notifying me about runs" : "Notify me when a run ends",
          icon: notifies ? "check" : undefined,
          run: () => void toggleNotifications(),
        },
      ]}
    />
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex h-8 items-center gap-2 rounded-sm border px-2.5 text-sm text-ink-3 hover:border-line-strong hover:text-ink"
    >
      <Icon name="search" size={14} />
      <span className="max-sm:sr-only lg:max-xl:sr-only">Search</span>
      <span aria-hidden="true" className="figures text-2xs max-sm:hidden lg:max-xl:hidden">
        Ctrl K
      </span>
    </button>
  );
}

function ThemeButton() {
  const dark = useStore(theme) === "dark";
  return (
    <IconButton
      icon={dark ? "sun" : "moon"}
      label={dark ? "Light theme" : "Dark theme"}
      onClick={toggleTheme}
    />
  );
}
