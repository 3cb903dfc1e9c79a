package holdfast.android

import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory

class CustomerActionsTest {
    private val actions = rowsOf("actions").filter { it.text("client") == "app" }

    private fun read(row: JsonObject): CustomerAction {
        val action = row.sub("customer_action")
        return readAction(action.text("type"), action.text("value"))
    }

    @TestFactory
    fun `an action is read`(): List<DynamicTest> =
        actions.map { row -> dynamicTest(row.text("name")) { assertEquals(actionOf(row), read(row)) } }

    private fun actionOf(row: JsonObject): CustomerAction {
        val action = row.sub("customer_action")
        return when (action.text("type")) {
            "fingerprint-mobile" -> CustomerAction.NativeFingerprint(configurationOf(row.sub("decoded")))
            "challenge-mobile" -> CustomerAction.NativeChallenge(challengeOf(row.sub("decoded")))
            else -> CustomerAction.Page(action.text("value"), isFingerprint = action.text("type") == "fingerprint")
        }
    }

    private fun configurationOf(decoded: JsonObject) =
        ThreeDSConfiguration(
            directoryServerId = decoded.text("directoryServerID"),
            directoryServerPublicKey = decoded.text("directoryServerPublicKey"),
            directoryServerRootCAs = decoded.texts("directoryServerRootCAs"),
            threeDSServerTransactionId = decoded.text("threeDSServerTransID"),
            messageVersion = decoded.text("messageVersion"),
            scheme = decoded.textOrNull("scheme"),
        )

    private fun challengeOf(decoded: JsonObject) =
        ThreeDSChallenge(
            acsTransactionId = decoded.text("acsTransID"),
            acsReferenceNumber = decoded.text("acsReferenceNumber"),
            acsSignedContent = decoded.text("acsSignedContent"),
            threeDSServerTransactionId = decoded.text("threeDSServerTransID"),
        )

    @TestFactory
    fun `what came of it is the next source`(): List<DynamicTest> =
        actions.flatMap { row ->
            row.rows("next_sources").map { next ->
                dynamicTest("${row.text("name")}: ${next.text("after")}") {
                    assertEquals(next.textOrNull("source"), nextSource(read(row), next))
                }
            }
        }

    /** Null where the first source is sent again. */
    private fun nextSource(
        action: CustomerAction,
        next: JsonObject,
    ): String? =
        when (next.text("after")) {
            "device data" -> deviceDataSource(deviceDataOf(next.sub("given")))
            "challenge passed" -> challengeSource(true)
            "challenge failed" -> challengeSource(false)
            "timed out" -> fingerprintTimedOutSource((action as CustomerAction.Page).url)
            "canceled" -> action.canceledSource
            else -> next.sub("given").text("token").takeIf(::isToken)
        }

    @TestFactory
    fun `an action that is broken is not guessed at`(): List<DynamicTest> =
        rowsOf("broken_actions").map { row ->
            dynamicTest(row.text("name")) { assertInstanceOf(CustomerAction.Unreadable::class.java, read(row)) }
        }

    @TestFactory
    fun `device data without a whole key is not sent`(): List<DynamicTest> =
        rowsOf("broken_device_data").map { row ->
            dynamicTest(row.text("name")) { assertNull(deviceDataSource(deviceDataOf(row.sub("given")))) }
        }
}
