/** The look of the editor: the page's tokens, so that light and dark need nothing here. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const POP = {
  border: "1px solid var(--line-strong)",
  borderRadius: "0.375rem",
  backgroundColor: "var(--surface)",
  color: "var(--ink)",
  boxShadow: "var(--shadow)",
};

/** Instead of CodeMirror's own picture. */
const MARKER = { content: '""' };

const look = EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--ink)", fontSize: "0.8667rem" },
  "&.cm-focused": { outline: "none" }, // the ring is around the gutter too: Editor.tsx
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--ink-3)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--sunken) 60%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--sunken)", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--focus) 25%, transparent)",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--select)",
    outline: "1px solid var(--line-strong)",
  },
  ".cm-tooltip": { ...POP, zIndex: "35", maxWidth: "min(34rem, 92vw)", overflow: "hidden" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)", maxHeight: "14rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.6rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--select)",
    color: "var(--ink)",
  },
  ".cm-completionDetail": { color: "var(--ink-3)", fontStyle: "normal", marginLeft: "1rem" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-diagnostic": { padding: "0.4rem 0.7rem", borderLeftWidth: "3px", fontFamily: "var(--font-sans)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--warn)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--live)" },
  ".cm-lintRange": { backgroundImage: "none", textDecorationLine: "underline", textDecorationStyle: "wavy" },
  ".cm-lintRange-active": { backgroundColor: "color-mix(in srgb, var(--live) 20%, transparent)" },
  ".cm-lintRange-error": { textDecorationColor: "var(--warn)" },
  ".cm-lintRange-warning": { textDecorationColor: "var(--live)" },
  ".cm-lintRange-info": { textDecorationColor: "var(--ink-3)" },
  // Told apart by their shape, too: a disc, a triangle, a square.
  ".cm-lint-marker": { width: "0.8em", height: "0.8em", margin: "0.35em auto 0", content: '""' },
  ".cm-lint-marker-error": { ...MARKER, backgroundColor: "var(--warn)", borderRadius: "50%" },
  ".cm-lint-marker-warning": {
    ...MARKER,
    backgroundColor: "var(--live)",
    clipPath: "polygon(50% 0, 100% 100%, 0 100%)",
  },
  ".cm-lint-marker-info": { ...MARKER, backgroundColor: "var(--ink-3)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-panel-lint ul [aria-selected], .cm-panel.cm-panel-lint ul:focus [aria-selected]": {
    backgroundColor: "var(--select)",
    color: "var(--ink)",
  },
  ".cm-panel.cm-panel-lint button": { color: "var(--ink-2)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--live)", fontWeight: "500" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: [tags.comment], color: "var(--ink-3)", fontStyle: "italic" },
  {
    tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)],
    fontWeight: "600",
  },
  { tag: [tags.self, tags.meta], color: "var(--ink-2)" },
]);

export const theme = [look, syntaxHighlighting(colours)];
