import { useData, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, onMounted, ref, watch } from 'vue'
import './site.css'

let drawn = 0

/**
 * A diagram of Mermaid, drawn in the browser in the colours of the page; until then its text. It has the width of the text,
 * and after a click its own.
 */
const Diagram = defineComponent({
  props: { code: { type: String, required: true } },
  setup(props) {
    // biome-ignore lint/correctness/useHookAtTopLevel: this is Vue, not React.
    const { isDark } = useData()
    const code = decodeURIComponent(props.code)
    const svg = ref('')
    const isLarge = ref(false)
    const draw = async () => {
      const { default: mermaid } = await import(/* @vite-ignore */ withBase('/mermaid/mermaid.esm.min.mjs'))
      mermaid.initialize({ startOnLoad: false, theme: isDark.value ? 'dark' : 'neutral' })
      drawn += 1
      const { svg: picture } = await mermaid.render(`diagram-${drawn}`, code)
      svg.value = picture
    }
    onMounted(draw)
    watch(isDark, draw)
    return () => {
      if (svg.value === '') return h('pre', { class: 'diagram', tabindex: 0 }, code)
      const [, width = '0'] = /max-width: ([\d.]+px)/.exec(svg.value) ?? []
      return h('div', {
        class: 'diagram',
        title: isLarge.value ? 'Click to fit the page' : 'Click to enlarge',
        style: isLarge.value ? { cursor: 'zoom-out', '--width': width } : { cursor: 'zoom-in', '--width': '0' },
        innerHTML: svg.value,
        onClick: () => {
          isLarge.value = !isLarge.value
        },
      })
    }
  },
})

/** Marks the content of the first page, and of the page for wrong addresses, as the main part, which the theme does for all others. */
function useMainMark() {
  const { frontmatter, page } = useData()
  const isUnmarked = () => page.value.isNotFound === true || frontmatter.value.layout === 'home'
  const mark = () => {
    const content = document.getElementById('VPContent')
    if (isUnmarked()) content?.setAttribute('role', 'main')
    else content?.removeAttribute('role')
  }
  onMounted(mark)
  watch(isUnmarked, mark, { flush: 'post' })
}

export default {
  extends: DefaultTheme,
  setup: useMainMark,
  enhanceApp({ app }) {
    app.component('Diagram', Diagram)
  },
}
