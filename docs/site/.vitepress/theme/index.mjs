import { useData, useRoute, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { nextTick, onMounted, watch } from 'vue';
import './colors.css';

/** The default theme, in which drawings are drawn: their library is loaded with the first one. */
export default {
  extends: DefaultTheme,
  setup() {
    const { isDark } = useData();
    const route = useRoute();
    const draw = async () => {
      const nodes = [...document.querySelectorAll('pre.mermaid')];
      if (nodes.length === 0) return;
      const { default: mermaid } = await import(/* @vite-ignore */ withBase('/mermaid/mermaid.esm.min.mjs'));
      mermaid.initialize({ startOnLoad: false, theme: isDark.value ? 'dark' : 'default' });
      for (const node of nodes) {
        node.dataset.source ??= node.textContent;
        node.textContent = node.dataset.source;
        delete node.dataset.processed;
      }
      await mermaid.run({ nodes });
    };
    onMounted(draw);
    watch([() => route.path, isDark], () => nextTick(draw));
  },
};
