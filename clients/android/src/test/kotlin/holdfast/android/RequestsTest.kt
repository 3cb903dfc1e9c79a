package holdfast.android

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

class RequestsTest {
    @TestFactory
    fun `a request has its fields in their order`(): List<DynamicTest> =
        rowsOf("requests").map { row ->
            dynamicTest(row.text("name")) {
                val request = requestOf("iv_fixture", row.sub("options"), row.textOrNull("client_secret"))
                assertEquals(row.text("body_text"), request.bodyWith(request.source).toString())
            }
        }

    @TestFactory
    fun `a card number is no source, and no message repeats it`(): List<DynamicTest> =
        listOf("4242424242424242", "4242 4242 4242 4242", "3782-822463-10005").map { number ->
            dynamicTest(number) {
                val error =
                    assertThrows(IllegalArgumentException::class.java) { AuthorizationRequest("iv_fixture", number) }
                assertFalse(number in error.toString())
            }
        }

    @TestFactory
    fun `an id that is none does not get into an address`(): List<DynamicTest> =
        listOf("", "iv_", "card_fixture", "iv_a/capture", "iv_a?x=1", "../cards").map { id ->
            dynamicTest("\"$id\"") {
                assertThrows(IllegalArgumentException::class.java) { AuthorizationRequest(id, "card_fixture") }
            }
        }

    @Test
    fun `a source is saved only with the client secret of the invoice`() {
        assertThrows(IllegalArgumentException::class.java) {
            AuthorizationRequest("iv_fixture", "card_fixture", saveSource = true)
        }
    }

    @Test
    fun `nothing that an app may log tells a source, a secret or data of the device`() {
        val printed =
            listOf(
                AuthorizationRequest("iv_fixture", "card_hidden", clientSecret = "ivs_hidden"),
                ThreeDSConfiguration("hidden", "hidden", listOf("hidden"), "hidden", "2.2.0", "visa"),
                ThreeDSAuthenticationRequest("hidden", "hidden", "hidden", "hidden", "hidden"),
                ThreeDSChallenge("hidden", "hidden", "hidden", "hidden"),
                ThreeDSRedirect("https://hidden.example", 10, "com.example.shop://hidden/return", "iv_fixture"),
            ).map { it.toString() }
        assertEquals(emptyList<String>(), printed.filter { "hidden" in it })
    }

    @TestFactory
    fun `a client is made for a project and over TLS only`(): List<DynamicTest> =
        listOf(
            "key_live_abc" to "https://api.example.com",
            "proj_a:key_live_abc" to "https://api.example.com",
            "proj_a" to "http://api.example.com",
            "proj_a" to "api.example.com",
            "proj_a" to "https://user:key_live_abc@api.example.com",
        ).map { (projectId, baseUrl) ->
            dynamicTest("$projectId at $baseUrl") {
                val error = assertThrows(IllegalArgumentException::class.java) { HoldfastClient(projectId, baseUrl) }
                assertFalse("key_live_abc" in error.toString())
            }
        }
}
