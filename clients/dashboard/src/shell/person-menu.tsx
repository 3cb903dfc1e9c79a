import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core'
import { ExitIcon, PersonIcon } from '@radix-ui/react-icons'
import { useProject, useSession } from '../service/session.tsx'
import { chooseLanguage, LANGUAGES, language } from '../words/language.ts'
import { ROLE_WORDS } from '../words/status.ts'
import { isolated, t } from '../words/words.ts'

const SCHEMES = [
  { scheme: 'auto', words: t('shell.person.system') },
  { scheme: 'light', words: t('shell.person.light') },
  { scheme: 'dark', words: t('shell.person.dark') },
] as const

export function PersonMenu() {
  const { signOut } = useSession()
  const { session, project, href } = useProject()
  // With transitions kept, since switching them off would write a style into the page.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const { person } = session
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size="lg"
          radius="xl"
          aria-label={t('shell.person.menu', { name: isolated(person.name) })}
        >
          <PersonIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className="menu-person">
          <Text size="sm" fw={600} className="break">
            <bdi>{person.name}</bdi>
          </Text>
          <Text size="xs" c="dimmed" className="break">
            <bdi>{person.email}</bdi> · {ROLE_WORDS[project.role].words}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item component="a" href={href(['account'])} leftSection={<PersonIcon />}>
          {t('shell.person.account')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(SCHEMES.find(({ scheme }) => scheme === value)?.scheme ?? 'auto')}
        >
          {SCHEMES.map(({ scheme, words }) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {words}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('shell.language')}</Menu.Label>
        <Menu.RadioGroup value={language} onChange={chooseLanguage}>
          {Object.entries(LANGUAGES).map(([one, name]) => (
            <Menu.RadioItem key={one} value={one} lang={one}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<ExitIcon />} onClick={() => void signOut()}>
          {t('common.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
