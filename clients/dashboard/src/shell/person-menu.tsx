import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core'
import { ExitIcon, PersonIcon } from '@radix-ui/react-icons'
import { useProject, useSession } from '../service/session.tsx'

const SCHEMES = [
  { scheme: 'auto', words: 'Colours of the system' },
  { scheme: 'light', words: 'Light' },
  { scheme: 'dark', words: 'Dark' },
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
        <ActionIcon variant="default" size="lg" radius="xl" aria-label={`${person.name}: account and appearance`}>
          <PersonIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className="menu-person">
          <Text size="sm" fw={600} truncate>
            {person.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {person.email} · {project.role}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item component="a" href={href(['account'])} leftSection={<PersonIcon />}>
          Your account
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
        <Menu.Item leftSection={<ExitIcon />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
