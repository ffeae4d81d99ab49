/** What the editor can do, from CodeMirror's parts. */
import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  ifNotIn,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  tooltips,
} from "@codemirror/view";
import { theme } from "./theme";
import { type Word, wordsBehind } from "./words";

export interface Wanted {
  label: () => string;
  /** The id of the text that explains the keys. */
  describedBy: string;
  isReadOnly: boolean;
  leastLines: number;
  mostLines: number;
  words: () => readonly Word[];
  onChange: (code: string) => void;
  onSave: () => void;
  onCheck: () => void;
}

export function setup(wanted: Wanted): Extension {
  return [
    lineNumbers(),
    lintGutter(),
    highlightSpecialChars(),
    drawSelection(),
    bracketMatching(),
    EditorView.lineWrapping,
    // The editor is a stacking context of its own: inside, they would be painted below what comes after it.
    tooltips({ parent: document.body }),
    python(),
    theme,
    heights(wanted),
    EditorView.contentAttributes.of(() => ({
      "aria-label": wanted.label(),
      "aria-describedby": wanted.describedBy,
      autocapitalize: "off",
      autocorrect: "off",
      spellcheck: "false",
      // A long text scrolls: checkers of accessibility look for something in it that has the focus.
      tabindex: "0",
    })),
    wanted.isReadOnly ? readOnly : editing(wanted),
  ];
}

const readOnly: Extension = [EditorState.readOnly.of(true), keymap.of(defaultKeymap)];

function editing(wanted: Wanted): Extension {
  const act = (run: () => void) => () => {
    run();
    return true;
  };
  return [
    history(),
    indentOnInput(),
    indentUnit.of("    "),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    autocompletion({ icons: false }),
    pythonLanguage.data.of({ autocomplete: completer(wanted.words) }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) wanted.onChange(update.state.doc.toString());
    }),
    keymap.of([
      { key: "Mod-s", preventDefault: true, run: act(wanted.onSave) },
      { key: "Mod-Enter", preventDefault: true, run: act(wanted.onCheck) },
      { key: "Tab", run: acceptCompletion },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      // Escape, then Tab leaves the editor; CodeMirror does that by itself.
      indentWithTab,
    ]),
  ];
}

const heights = ({ leastLines, mostLines }: Wanted): Extension =>
  EditorView.theme({
    ".cm-content, .cm-gutter": { minHeight: `${leastLines * 1.6}em` },
    ".cm-scroller": { maxHeight: `${mostLines * 1.6}em` },
  });

const TYPES = { argument: "variable", number: "constant", function: "function", text: "text" } as const;

/** Where Enter means a new line, not a word of the list. */
const PROSE = ["String", "FormatString", "Comment"];

/** Names of observations have spaces: what is typed may be the beginning of any of their words. */
export function completer(words: () => readonly Word[]): CompletionSource {
  return ifNotIn(PROSE, (context: CompletionContext): CompletionResult | null => {
    const typed = context.matchBefore(/\w*/)!;
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, typed.from - line.from);
    const found = wordsBehind(words(), before);
    const isAsked = context.explicit || typed.text !== "" || found.some(({ after }) => after !== undefined);
    if (found.length === 0 || !isAsked) return null;
    return {
      from: typed.from,
      options: found.map(({ label, kind, detail, apply }) => ({
        label,
        detail,
        apply: apply ?? label,
        type: TYPES[kind],
        boost: kind === "argument" ? 2 : 1,
      })),
      validFor: /^\w*$/,
    };
  });
}
