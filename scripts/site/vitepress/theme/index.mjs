import { useData } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, onMounted, ref, watch } from 'vue'
import './site.css'

let drawn = 0

/** A diagram of Mermaid, drawn in the browser in the colours of the page; until then its text. */
const Diagram = defineComponent({
  props: { code: { type: String, required: true } },
  setup(props) {
    // biome-ignore lint/correctness/useHookAtTopLevel: this is Vue, not React.
    const { isDark } = useData()
    const code = decodeURIComponent(props.code)
    const svg = ref('')
    const draw = async () => {
      const { default: mermaid } = await import('mermaid')
      // In its own size, which may be scrolled: shrunk to the width of the text it cannot be read.
      const size = { useMaxWidth: false }
      const theme = isDark.value ? 'dark' : 'neutral'
      mermaid.initialize({ startOnLoad: false, theme, flowchart: size, sequence: size, state: size })
      drawn += 1
      const { svg: picture } = await mermaid.render(`diagram-${drawn}`, code)
      svg.value = picture
    }
    onMounted(draw)
    watch(isDark, draw)
    return () =>
      svg.value === '' ? h('pre', { class: 'diagram' }, code) : h('div', { class: 'diagram', innerHTML: svg.value })
  },
})

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Diagram', Diagram)
  },
}
