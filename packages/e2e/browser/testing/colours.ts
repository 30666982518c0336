import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { loadAxe, violationsOn } from './violations.ts';

/** The rules about colours, which take as long as all others together. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Fails if axe finds colours on the page, as it is now, that are hard to tell apart. Skips elements whose colours are
 * in `accepted`, to which it adds those that axe has measured and accepted.
 */
export async function expectReadableColours(page: Page, accepted: Set<string>): Promise<void> {
  await loadAxe(page);
  const { violations, measured } = await page.evaluate(measureColours, {
    accepted: [...accepted],
    rules: COLOUR_RULES,
  });
  if (violations.length > 0) throw violationsOn(page, violations);
  for (const colours of measured) accepted.add(colours);
}

/** Runs in the page. Its functions are methods: tsx changes others so that they do not work there. */
async function measureColours({ accepted, rules }: { accepted: string[]; rules: string[] }) {
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const backgrounds = new Map<Element | null, string | undefined>([[null, theme]]);
  const blended = new Set<Element | null>();
  const known = new Set<string | undefined>(accepted);
  const read = {
    /** What is painted behind an element; `undefined` if it may not only be its ancestors' backgrounds. */
    background(element: Element | null): string | undefined {
      if (element === null || backgrounds.has(element)) return backgrounds.get(element);
      const style = getComputedStyle(element);
      const below = read.background(element.parentElement);
      if (style.opacity !== '1' || style.filter !== 'none' || style.mixBlendMode !== 'normal')
        blended.add(element);
      if (blended.has(element.parentElement)) blended.add(element);
      const isOpaque = style.backgroundColor.startsWith('rgb(') && style.backgroundImage === 'none';
      const isPlaced = !/static|relative/.test(style.position) || style.transform !== 'none';
      const own = `${style.backgroundColor} ${style.backgroundImage}`;
      const all = isOpaque ? `${own} ${theme}` : isPlaced ? undefined : below && `${own} on ${below}`;
      backgrounds.set(element, blended.has(element) ? undefined : all);
      return backgrounds.get(element);
    },
    /** Everything on which the rules depend; `undefined` if that is also something else. */
    colours(element: Element): string | undefined {
      const background = read.background(element);
      const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(element);
      const around = element.parentElement === null ? '' : getComputedStyle(element.parentElement).color;
      const text = [element.localName, color, fontSize, fontWeight, textShadow, textDecorationLine, around];
      return read.isInText(element) ? undefined : background && [...text, background].join(' ');
    },
    /** Whether it is a link with other text around it, from which it must be told apart. */
    isInText(element: Element): boolean {
      let block = element.parentElement;
      while (block !== null && getComputedStyle(block).display.startsWith('inline'))
        block = block.parentElement;
      return element.localName === 'a' && block?.textContent.trim() !== element.textContent.trim();
    },
    /** Leaves out only what axe never complains about: single characters, disabled controls, what is above the page. */
    hasText(element: Element): boolean {
      const texts = [...element.childNodes].flatMap((node) =>
        node.nodeType === 3 ? (node.nodeValue ?? '') : [],
      );
      return (
        (element.matches('select, textarea, input:not([type=checkbox], [type=radio])') ||
          texts.join('').trim().length > 1) &&
        !element.matches(':disabled') &&
        element.checkVisibility() &&
        element.getBoundingClientRect().bottom + scrollY > 0
      );
    },
  };
  const include = [...document.body.querySelectorAll('*')].filter(
    (element) => read.hasText(element) && !known.has(read.colours(element)),
  );
  if (include.length === 0) return { violations: [], measured: [] };
  const { axe } = globalThis as unknown as AxeWindow; // loaded before
  const { violations, passes } = await axe.run(
    { include },
    // Selectors take long to find.
    { runOnly: rules, resultTypes: ['violations', 'passes'], selectors: false, elementRef: true },
  );
  const measured = passes.find(({ id }) => id === 'color-contrast')?.nodes ?? [];
  return {
    violations: violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary}`),
    ),
    measured: measured.flatMap(({ element }) => (element && read.colours(element)) ?? []),
  };
}

interface AxeWindow {
  axe: { run(context: { include: Element[] }, options: RunOptions): Promise<AxeResults> };
}
